import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Two processes on one cache, both of which trim and sweep.
@Suite(.timeLimit(.minutes(5))) struct SharedBudgetTests {
    @Test func `neither removes what the other has just stored, and together they keep the budget`() async throws {
        let folder = try TestFolder()
        let world = TestWorld()
        let budget = 4_000_000
        let cores = try (0..<2).map { _ in
            try LarderCore(
                folder: folder.url, options: LarderOptions(budget: StorageBudget(bytes: budget)),
                environment: world.environment)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, core) in cores.enumerated() {
                group.addTask {
                    for number in 0..<40 {
                        let key = StoreKey(partition: "\(index)", key: "k\(number)")
                        let entry = StoredEntry(
                            body: Data(repeating: UInt8(number), count: 100_000 + number),
                            metadata: EntryMetadata(codec: .served, stamp: Int64(number), storedAt: world.clock.now()))
                        do throws(StorageError) {
                            try await core.sqliteStore.put(entry, for: key)
                            await core.wrote(entry.body.count, in: key.partition)
                        } catch {
                            // Its file was taken for an orphan; then there is no row either.
                            #expect(error.kind == .other)
                        }
                    }
                }
                group.addTask {
                    // By a clock that runs ahead, every file is old enough.
                    for _ in 0..<20 {
                        _ = try await core.sqliteStore.sweepOrphans(now: Date(timeIntervalSinceNow: 3600))
                    }
                }
            }
            try await group.waitForAll()
        }
        for core in cores { _ = try await core.tidy() }
        let summaries = try await cores[0].sqliteStore.summaries()
        #expect(summaries.count > 10)
        for summary in summaries {
            #expect(try cores[1].sqliteStore.entry(for: summary.key)?.body.count == summary.size)
        }
        #expect(try await cores[1].measured().usage.total <= budget)
        for core in cores { core.close() }
    }
}
