import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Random histories of a server and of the cache of its feed, against what the server held at each moment.
///
/// `LARDER_PROPERTY_ROUNDS` multiplies the number of histories, `LARDER_PROPERTY_SEED` gives the first seed.
@Suite struct FeedPropertyTests {
    @Test(arguments: SimulatedFeedServer.Order.allCases)
    func `what is proven is what the server held`(order: SimulatedFeedServer.Order) async throws {
        try await run(rounds: 25, seed: 1000) { FeedSetup.random(order, using: &$0) }
    }

    @Test(arguments: SimulatedFeedServer.Order.allCases)
    func `answers that overtake each other prove nothing wrong`(order: SimulatedFeedServer.Order) async throws {
        try await run(rounds: 15, seed: 2000) { FeedSetup.random(order, areAnswersLate: true, using: &$0) }
    }

    @Test func `items that come back on top prove nothing wrong`() async throws {
        try await run(rounds: 15, seed: 3000) {
            FeedSetup.random(.newestOnTop, areAnswersLate: Bool.random(using: &$0), hasBumps: true, using: &$0)
        }
    }

    private func run(
        rounds: UInt64, seed: UInt64, length: Int = 60, setup: (inout SplitMix64) -> FeedSetup
    ) async throws {
        let drive = try HistoryDrive()
        for seed in HistoryDrive.seeds(rounds: rounds, from: seed) {
            var random = SplitMix64(seed: seed)
            let history = FeedHistory.random(setup(&random), length: length, using: &random)
            guard try drive.failure(of: history) != nil else { continue }
            let shortest = try await drive.shrink(history)
            Issue.record("seed \(seed): \(try drive.failure(of: shortest) ?? "")")
            return
        }
    }
}

/// Plays histories on one database, each on a feed of its own.
final class HistoryDrive {
    let database: Database
    private var feeds = 0

    /// The seeds of a test's histories, more or others as the environment says.
    static func seeds(rounds: UInt64, from first: UInt64) -> Range<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        let factor = environment["LARDER_PROPERTY_ROUNDS"].flatMap { UInt64($0) } ?? 1
        let first = environment["LARDER_PROPERTY_SEED"].flatMap { UInt64($0) } ?? first
        return first..<(first + rounds * factor)
    }

    init() throws {
        database = try Database(.memory)
        try SchemaSetup.run(on: database, path: nil)
    }

    /// What went wrong, with the whole story, or `nil`.
    func failure(of history: FeedHistory) throws -> String? {
        feeds += 1
        let name = "feed \(feeds)"
        return try database.writeSync { db in
            let world = try FeedWorld(history.setup, name: name, in: db)
            do {
                for step in history.steps { try world.take(step, in: db) }
                try world.landAll(in: db)
                return nil
            } catch {
                let story = world.log.joined(separator: "\n")
                return "\(error)\n\(history.setup)\n\(story)\n\(history.steps)".printable
            }
        }
    }

    func shrink(_ history: FeedHistory) async throws -> FeedHistory {
        var shortest = history
        shortest.steps = await history.steps.shrunk { steps in
            (try? failure(of: FeedHistory(setup: history.setup, steps: steps))) ?? nil != nil
        }
        return shortest
    }
}

extension String {
    /// The text with its control characters written out, so that ids that hold them do not garble what is printed.
    var printable: String {
        String(
            unicodeScalars.map { scalar in
                scalar.value < 0x20 && scalar != "\n" ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }.joined())
    }
}
