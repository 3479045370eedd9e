import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// Random histories of a server, of an app that steps through its feed in every way there is, and of the cache between
/// them, against what the server held at each moment.
///
/// `LARDER_PROPERTY_ROUNDS` multiplies the number of histories, `LARDER_PROPERTY_SEED` gives the first seed.
@Suite struct SteppingPropertyTests {
    @Test(arguments: SteppingSetup.all)
    func `what is proven is what the server held`(kind: SteppingSetup) async throws {
        try await run(rounds: 3, seed: 7000) { kind.varied(using: &$0) }
    }

    @Test(arguments: SteppingSetup.all)
    func `a restart changes nothing`(kind: SteppingSetup) async throws {
        try await run(rounds: 1, seed: 8000, length: 25, isOnDisk: true) { kind.varied(using: &$0) }
    }

    @Test(arguments: [SteppingSetup.Kind.item, .cursor, .link, .offset])
    func `items that come back on top prove nothing wrong`(kind: SteppingSetup.Kind) async throws {
        try await run(rounds: 2, seed: 9000) { random in
            var setup = SteppingSetup(kind, .newestOnTop).varied(using: &random)
            setup.hasBumps = true
            setup.changes = .any
            return setup
        }
    }

    @Test(arguments: SteppingSetup.all)
    func `reading on comes to the end, and every gap closes`(kind: SteppingSetup) async throws {
        try await run(rounds: 3, seed: 10_000, length: 30, thenDrains: true) { random in
            var setup = kind.varied(using: &random)
            if kind.kind != .pageNumber { setup.changes = Bool.random(using: &random) ? .none : .insertions }
            setup.hasLoops = setup.changes == .none && Bool.random(using: &random)
            return setup
        }
    }

    private func run(
        rounds: UInt64, seed: UInt64, length: Int = 50, isOnDisk: Bool = false, thenDrains: Bool = false,
        setup: (inout SplitMix64) -> SteppingSetup
    ) async throws {
        for seed in HistoryDrive.seeds(rounds: rounds, from: seed) {
            var random = SplitMix64(seed: seed)
            let history = SteppingHistory.random(setup(&random), length: length, using: &random)
            guard await Self.failure(of: history, isOnDisk: isOnDisk, thenDrains: thenDrains) != nil else { continue }
            var shortest = history
            shortest.steps = await history.steps.shrunk { steps in
                let history = SteppingHistory(setup: history.setup, initial: history.initial, steps: steps)
                return await Self.failure(of: history, isOnDisk: isOnDisk, thenDrains: thenDrains) != nil
            }
            let failure = await Self.failure(of: shortest, isOnDisk: isOnDisk, thenDrains: thenDrains)
            Issue.record("seed \(seed): \(failure ?? "")")
            return
        }
    }

    /// What went wrong, with the whole story, or `nil`.
    private static func failure(of history: SteppingHistory, isOnDisk: Bool, thenDrains: Bool) async -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-\(UUID().uuidString)")
        defer { if isOnDisk { try? FileManager.default.removeItem(at: folder) } }
        var log: [String] = []
        do {
            let world = try SteppingWorld(history, folder: isOnDisk ? folder : nil)
            defer {
                world.larder.close()
                world.takeOriginLog()
                log = world.log
            }
            for step in history.steps { try await world.take(step) }
            if thenDrains { try await world.drain() }
            return nil
        } catch {
            return "\(error)\n\(history.setup)\n\(log.joined(separator: "\n"))\n\(history.steps)".printable
        }
    }
}
