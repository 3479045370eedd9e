import Foundation
import LarderKit

/// Damages a cache at random, reads it, verifies it, repairs it and reads it again: nothing that was not stored is ever
/// served as if it had been, and what is repaired is sound.
struct CorruptionLoop: StressLoop {
    static let name = "corruption"
    static let summary = """
        Flips bits, cuts, swaps, zeroes and overwrites parts of the files of a cache whose contents are known, thousands of
        times, each followed by: open, read everything, verify, repair, read again. A value that is served is the one that was
        stored, items that are neighbours were, and a cache that was repaired is sound.
        """
    static let numbers = [
        LoopNumber(name: "rounds", standard: 2000, range: 1...1_000_000),
        LoopNumber(name: "first", standard: 0, range: 0...1_000_000),
    ]

    private let options: LoopOptions

    init(_ options: LoopOptions) {
        self.options = options
    }

    func run(_ console: LoopConsole) async throws -> LoopReport {
        var report = LoopReport(Self.self, seed: options.seed)
        let scratch = try ScratchFolder()
        let closed = scratch.url.appendingPathComponent("closed", isDirectory: true)
        let inUse = scratch.url.appendingPathComponent("in use", isDirectory: true)
        let cache = try await KnownCache(in: closed) { try FileManager.default.copyItem(at: $0, to: inUse) }
        let watchdog = RoundWatchdog()
        for round in options["first"]..<options["first"] + options["rounds"] {
            guard !console.isStopped else { break }
            console.progress("\(round) rounds")
            watchdog.begins(round, seed: options.seed)
            let template = round.isMultiple(of: 2) ? closed : inUse
            try? FileManager.default.removeItem(at: scratch.cache)
            try FileManager.default.copyItem(at: template, to: scratch.cache)
            var corruption = Corruption(seed: options.seed &+ UInt64(round) &* 0x9E37_79B9)
            let done = try corruption.run(in: scratch.cache)
            let trial = CorruptionTrial(cache: cache, folder: scratch.cache, repairsItself: round % 5 == 4)
            for finding in await trial.run(&report) {
                report.find("round \(round) (\(done.joined(separator: "; "))): \(finding)")
            }
            report.count("rounds")
        }
        watchdog.end()
        return report
    }
}
