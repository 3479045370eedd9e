import Foundation
import Testing

@testable import LarderStress

@Suite(.timeLimit(.minutes(3))) struct CorruptionLoopTests {
    @Test func whatIsDamagedAndRepairedServesNothingWrong() async throws {
        let options = try LoopOptions(["--rounds", "12"], of: CorruptionLoop.numbers, seed: 5)
        let report = try await CorruptionLoop(options).run(LoopConsole())
        #expect(report.hasPassed, "\(report)")
        #expect(report.counts["rounds"] == 12)
        #expect(report.counts["verified as damaged", default: 0] > 2)
    }

    @Test func damageIsTheSameForOneSeed() throws {
        var (one, other) = (Corruption(seed: 9), Corruption(seed: 9))
        let folders = try (0..<2).map { _ in try ScratchFolder() }
        for folder in folders {
            try Data(repeating: 7, count: 50_000).write(to: folder.url.appendingPathComponent("cache.sqlite"))
        }
        #expect(try one.run(in: folders[0].url) == other.run(in: folders[1].url))
    }
}
