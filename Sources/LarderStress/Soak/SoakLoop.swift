import Foundation
import LarderKit

/// Lets several processes work on one cache at once for a while, and looks at what they have seen.
struct SoakLoop: StressLoop {
    static let name = "soak"
    static let summary = """
        Lets two processes write to one cache and four read it. Checks that no write is lost, that no reader sees a value go
        back, that the write-ahead log stays below its bound, and that no process grows.
        """
    static let numbers = [
        LoopNumber(name: "seconds", standard: 60, range: 1...86_400),
        LoopNumber(name: "writers", standard: 2, range: 1...16),
        LoopNumber(name: "readers", standard: 4, range: 0...64),
        LoopNumber(name: "index", standard: 0, range: 0...64, isInner: true),
    ]

    let options: LoopOptions
    var tool = Child.ownTool

    /// The write-ahead log gets no larger, readers or not.
    static let logBound = 64 << 20

    init(_ options: LoopOptions) {
        self.options = options
    }

    func run(_ console: LoopConsole) async throws -> LoopReport {
        var report = LoopReport(Self.self, seed: options.seed)
        let scratch = try ScratchFolder()
        // So that readers find a cache.
        try Larder(.folder(scratch.cache)).close()
        let writers = try (0..<options["writers"]).map { try start("writer", $0, scratch.cache, console.children) }
        let readers = try (0..<options["readers"]).map { try start("reader", $0, scratch.cache, console.children) }
        let largest = await watchLog(in: scratch.cache, console)
        for child in writers + readers { child.release() }
        // What was killed has nothing to say.
        guard !console.isStopped else { return report }
        for (index, child) in writers.enumerated() {
            let words = try await outcome(of: child, "writer \(index)", &report)
            report.count("writes", words["writes"] ?? 0)
            check(words["writes"] ?? 0, of: index, in: scratch.cache, &report)
        }
        for (index, child) in readers.enumerated() {
            report.count("reads", try await outcome(of: child, "reader \(index)", &report)["reads"] ?? 0)
        }
        for trouble in await Soundness.troubles(of: scratch.cache) { report.find(trouble) }
        report.count("largest log, KiB", largest >> 10)
        if largest > Self.logBound { report.find("the write-ahead log grew to \(largest) bytes") }
        return report
    }

    private func start(_ role: String, _ index: Int, _ folder: URL, _ siblings: Children) throws -> Child {
        try Child(
            tool,
            [
                Self.name, "--role", role, "--folder", folder.path, "--index", "\(index)", "--seconds",
                "\(options["seconds"])", "--writers", "\(options["writers"])", "--seed", "\(options.seed)",
            ], among: siblings)
    }

    /// The largest that the write-ahead log is seen to be, for as long as the processes work.
    private func watchLog(in folder: URL, _ console: LoopConsole) async -> Int {
        let log = folder.appendingPathComponent("cache.sqlite-wal").path
        var largest = 0
        while console.children.count > 0, !console.isStopped {
            // Its size alone: opening it would drop locks of SQLite's, if this process had any.
            let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            largest = max(largest, size ?? 0)
            console.progress("log \(largest >> 10) KiB")
            try? await Task.sleep(for: .milliseconds(50))
        }
        return largest
    }

    /// What a process says in the end, by name. What it found is told in whole lines.
    private func outcome(
        of child: Child, _ name: String, _ report: inout LoopReport
    ) async throws -> [String: Int] {
        var figures: [String: Int] = [:]
        for line in await child.lines() {
            let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
            if words.count == 2, let number = Int(words[1]) {
                figures[words[0]] = number
            } else {
                report.find("\(name): \(line)")
            }
        }
        let end = await child.end()
        if end.status != 0 { report.find("\(name) ended with \(end.status)") }
        let (early, late) = (figures["early"] ?? 0, figures["late"] ?? 0)
        report.count("memory of \(name) early, KiB", early)
        report.count("memory of \(name) late, KiB", late)
        if late > early * 3 / 2 + (16 << 10) { report.find("\(name) grew from \(early) to \(late) KiB") }
        return figures
    }

    /// Whether all that a writer has written is there.
    private func check(_ writes: Int, of index: Int, in folder: URL, _ report: inout LoopReport) {
        do {
            let larder = try Larder(.folder(folder))
            defer { larder.close() }
            for place in SoakPlace.all(of: index) {
                let found = try SoakPlace.resource(place, in: larder).peek()?.value.version ?? 0
                let expected = SoakPlace.last(of: place, writer: index, upTo: writes)
                if found != expected { report.find("\(place) holds \(found), and \(expected) was the last written") }
            }
        } catch {
            report.find("the cache cannot be read in the end: \(error)")
        }
    }
}
