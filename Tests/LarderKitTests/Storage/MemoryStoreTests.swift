import Foundation
import LarderKit
import LarderTestKit
import Testing

struct MemoryStoreTests {
    private func entry(_ count: Int, stamp: Int64 = 0) -> StoredEntry {
        StoredEntry(
            body: Data(count: count),
            metadata: EntryMetadata(codec: CodecID(name: "raw"), stamp: stamp, storedAt: Date(timeIntervalSince1970: 0))
        )
    }

    @Test func `the least recently used go, and the limit is kept`() async throws {
        let store = MemoryStore(limit: 100_000)
        for number in 0..<30 {
            try await store.put(entry(10_000), for: StoreKey(key: "\(number)"))
            #expect(store.entry(for: StoreKey(key: "0")) != nil)
            let sizes = await store.summaries().reduce(0) { $0 + $1.size }
            #expect(sizes <= 100_000)
        }
        #expect(store.entry(for: StoreKey(key: "1")) == nil)
        #expect(store.entry(for: StoreKey(key: "29")) != nil)
        #expect(await store.summaries().count >= 8)
    }

    @Test func `a value that has no room is refused, and the older one stays`() async throws {
        let store = MemoryStore(limit: 1000)
        let key = StoreKey(key: "k")
        try await store.put(entry(10), for: key)
        let error = await #expect(throws: StorageError.self) { try await store.put(entry(1001, stamp: 2), for: key) }
        #expect(error?.kind == .overBudget)
        #expect(store.entry(for: key)?.body.count == 10)
    }

    @Test func `what was removed or replaced makes room`() async throws {
        let store = MemoryStore(limit: 10_000)
        for _ in 0..<10 {
            try await store.put(entry(6000), for: StoreKey(partition: "a", key: "k"))
            try await store.put(entry(3000), for: StoreKey(partition: "b", key: "k"))
            #expect(await store.summaries().count == 2)
            await store.removeAll(in: "a")
            await store.remove(StoreKey(partition: "b", key: "k"))
        }
    }

    @Test func `what is let go of in memory is read again`() async throws {
        let larder = try Larder(.temporary, environment: TestWorld().environment)
        let (kept, memory) = (
            larder.common.resource("k", fetch: { 1 }),
            larder.common.resource("m", options: ResourceOptions(storage: .memory), fetch: { 1 })
        )
        try await kept.store(7)
        try await memory.store(8)
        _ = try kept.peek()
        larder.releaseMemory()
        #expect(try kept.peek()?.value == 7 && memory.peek()?.value == 8)
        larder.close()
        larder.releaseMemory()
    }
}
