import Foundation
import LarderKit
import LarderTestKit
import Synchronization

/// A resource of one number under a script, in a world of its own.
struct ScriptedResource {
    let world: TestWorld
    let larder: Larder
    let origin: ScriptedFetch<ResourceRequest, RawAnswer>

    init(_ script: ScriptedFetch<ResourceRequest, RawAnswer>.Step..., world: TestWorld = TestWorld()) throws {
        self.world = world
        larder = .inMemory(environment: world.environment)
        origin = ScriptedFetch(script)
    }

    func resource(
        _ policy: ReadPolicy = .cacheFirst, maxAge: Duration? = nil, options: ResourceOptions = .init()
    ) -> Resource<[Int]> {
        larder.common.resource(
            "k", decoding: [Int].self, maxAge: maxAge, policy: policy, options: options, fetch: { try await origin($0) }
        )
    }
}

extension RawAnswer {
    /// A JSON array of one number.
    static func number(_ number: Int, _ headers: HeaderFields = [:]) -> RawAnswer {
        RawAnswer(headers: headers, body: Data("[\(number)]".utf8))
    }

    static func status(_ status: Int, _ headers: HeaderFields = [:]) -> RawAnswer {
        RawAnswer(status: status, headers: headers, body: Data())
    }
}

/// A store whose disk is full, or worse, whenever the test says so.
final class FailingStore: Store {
    let inner = MemoryStore()
    private let failures = Mutex<(reading: StorageError?, writing: StorageError?)>((nil, nil))

    func fail(reading: StorageError? = nil, writing: StorageError? = nil) {
        failures.withLock { $0 = (reading, writing) }
    }

    func entry(for key: StoreKey) throws(StorageError) -> StoredEntry? {
        if let failure = failures.withLock({ $0.reading }) { throw failure }
        return inner.entry(for: key)
    }

    func put(_ entry: StoredEntry, for key: StoreKey) async throws(StorageError) -> Bool {
        if let failure = failures.withLock({ $0.writing }) { throw failure }
        return try await inner.put(entry, for: key)
    }

    func remove(_ key: StoreKey) async throws(StorageError) { await inner.remove(key) }
    func removeAll(in partition: String) async throws(StorageError) { await inner.removeAll(in: partition) }
    func summaries() async throws(StorageError) -> [EntrySummary] { await inner.summaries() }
}
