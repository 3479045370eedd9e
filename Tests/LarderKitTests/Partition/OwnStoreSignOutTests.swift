import Foundation
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// A store of an app's own knows nothing of signing out.
struct OwnStoreSignOutTests {
    @Test(.timeLimit(.minutes(5)))
    func whatIsBeingPutWhenSomebodySignsOutDoesNotStay() async throws {
        let store = HeldStore()
        let larder = Larder.inMemory(environment: TestWorld().environment)
        let options = ResourceOptions(storage: .store(store))
        let me = larder.partition("anna")
        let resource = me.resource("profile", options: options) { "Anna" }

        let reading = Task { try await resource.read() }
        await store.gate.reached()
        let leaving = Task { try await me.signOut() }
        while larder.core.ownPuts.waitingCount(in: "anna") == 0, !store.wasEmptied { await Task.yield() }
        store.gate.open()
        try await leaving.value
        _ = try? await reading.value

        let next = larder.partition("anna").resource("profile", options: options) { "nobody" }
        #expect(try next.peek() == nil)
    }

    @Test func nothingIsWaitedForWhereNothingIsPut() async throws {
        let puts = PutsUnderWay()
        await puts.tracking(StoreKey(partition: "anna", key: "k")) { await puts.settle(in: "bert") }
        await puts.settle(in: "anna")
    }
}

/// Holds what is put until its gate opens, and cannot take it back.
private final class HeldStore: Store {
    let gate = Gate()
    private let entries = Mutex<[StoreKey: StoredEntry]>([:])
    private let emptied = Atomic(false)

    var wasEmptied: Bool { emptied.load(ordering: .relaxed) }

    func entry(for key: StoreKey) -> StoredEntry? { entries.withLock { $0[key] } }

    func put(_ entry: StoredEntry, for key: StoreKey) async -> Bool {
        // Its task may be cancelled meanwhile: the value is stored all the same.
        await Task.detached { [gate] in try? await gate.wait() }.value
        entries.withLock { $0[key] = entry }
        return true
    }

    func remove(_ key: StoreKey) async throws(StorageError) { throw StorageError(.other, "nothing can be removed") }

    func removeAll(in partition: String) async {
        entries.withLock { $0 = [:] }
        emptied.store(true, ordering: .relaxed)
    }

    func summaries() async -> [EntrySummary] { [] }
}
