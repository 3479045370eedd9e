import Foundation
import LarderKit
import LarderTestKit
import Synchronization
import Testing

@Suite struct StoreContractTests {
    @Test(arguments: StoreForm.allCases, StoreContract.rules)
    func `each form of a store keeps every promise`(form: StoreForm, rule: StoreContract.Rule) async throws {
        let folder = try TestFolder()
        try await rule.check {
            try form.open(in: folder)
        } reopen: { store in
            form.isLasting ? try form.open(in: folder) : store
        }
    }

    /// A store that is broken in one way.
    private final class Broken: Store {
        enum Fault: CaseIterable {
            case emptyIsAMiss, foldsCase, forgetsTheStamp, ignoresTheStamp, liesAboutPut, removesAll, losesLifetime
            case listsNothing
        }

        let fault: Fault
        let inner = MemoryStore()

        init(_ fault: Fault) { self.fault = fault }

        private func key(_ key: StoreKey) -> StoreKey {
            fault == .foldsCase ? StoreKey(partition: key.partition, key: key.key.lowercased()) : key
        }

        func entry(for key: StoreKey) throws(StorageError) -> StoredEntry? {
            let entry = inner.entry(for: self.key(key))
            return fault == .emptyIsAMiss && entry?.body.isEmpty == true ? nil : entry
        }

        func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
            var entry = entry
            if fault == .forgetsTheStamp { entry.metadata.stamp = 0 }
            if fault == .losesLifetime { entry.metadata.lifetime = nil }
            if fault == .ignoresTheStamp { await inner.remove(key) }
            let isStored = try await inner.put(entry, for: self.key(key))
            return fault == .liesAboutPut || isStored
        }

        func remove(_ key: StoreKey) async throws(StorageError) { await inner.remove(self.key(key)) }

        func removeAll(in partition: String) async throws(StorageError) {
            guard fault == .removesAll else { return await inner.removeAll(in: partition) }
            for summary in await inner.summaries() { await inner.remove(summary.key) }
        }

        func summaries() async throws(StorageError) -> [EntrySummary] {
            fault == .listsNothing ? [] : await inner.summaries()
        }
    }

    @Test(arguments: Broken.Fault.allCases)
    private func `a store that breaks a promise is told which`(fault: Broken.Fault) async throws {
        let violation = await #expect(throws: StoreContract.Violation.self) {
            try await StoreContract.check { Broken(fault) }
        }
        let name = try #require(violation?.rule)
        #expect(StoreContract.rules.contains { $0.name == name })
        #expect(violation?.explanation.isEmpty == false)
    }

    @Test func `a store that forgets is told so when it is opened again`() async throws {
        await #expect(throws: StoreContract.Violation.self) {
            try await StoreContract.check {
                MemoryStore()
            } reopen: { _ in
                MemoryStore()
            }
        }
    }

    @Test func `each rule is checked with a store of its own`() async throws {
        let count = Mutex(0)
        try await StoreContract.check {
            count.withLock { $0 += 1 }
            return MemoryStore()
        }
        #expect(count.withLock { $0 } == StoreContract.rules.count)
        #expect(Set(StoreContract.rules.map(\.name)).count == StoreContract.rules.count)
    }
}
