import Foundation
import LarderKit
import LarderTestKit
import Synchronization

/// What was done to a disk by some work on a cache, and when each thing was begun and done.
struct PowerHistory: Sendable {
    struct Line: Sendable {
        let moment: Int
        let line: PantryLine
    }

    let recording: DiskRecording
    let lines: [Line]

    /// Works on a new cache, one thing after the other. It is closed and opened again now and then, which moves the log into
    /// the database.
    static func make(_ durability: Durability, seed: UInt64, steps: Int) async throws -> PowerHistory {
        let scratch = try ScratchFolder()
        let disk = FaultyDisk()
        try FileManager.default.createDirectory(at: scratch.cache, withIntermediateDirectories: true)
        try disk.record(scratch.cache)
        let lines = Mutex<[Line]>([])
        let numbers = PantryWork.Numbers(after: 0)
        var totals: [PantryFeed: Int] = [:]
        var dice = Dice(seed: seed, stream: 0)
        var rest = steps
        while rest > 0 {
            let larder = try Larder(
                .folder(scratch.cache), options: LarderOptions(durability: durability),
                environment: LarderEnvironment(random: SeededRandom(seed: seed), disk: disk))
            let pantry = Pantry(larder, totals: totals)
            let work = PantryWork(pantry: pantry, numbers: numbers) { line in
                lines.withLock { $0.append(Line(moment: disk.moment, line: line)) }
            }
            for _ in 0..<min(rest, 10 + dice.below(20)) {
                await work.step(dice.pick(PantryWork.Lane.allCases), &dice)
                rest -= 1
            }
            for feed in PantryFeed.allCases { totals[feed] = pantry.total(of: feed) }
            await larder.settle()
            larder.close()
        }
        let recording = disk.endRecording() ?? DiskRecording(beginning: DiskContents())
        return PowerHistory(recording: recording, lines: lines.withLock { $0 })
    }
}
