import Foundation
import LarderTestKit
import Synchronization

@testable import LarderKit

/// A cache with a budget, in a folder.
final class BudgetWorld: Sendable {
    let folder: TestFolder
    let world = TestWorld()
    let larder: Larder
    let events: Events

    final class Events: LarderLog {
        private let noted = Mutex<[LarderEvent]>([])
        func note(_ event: LarderEvent) { noted.withLock { $0.append(event) } }
        var all: [LarderEvent] { noted.withLock { $0 } }
    }

    convenience init(_ bytes: Int?, perPartition: Int? = nil, unusedFor: Duration? = nil) throws {
        try self.init(StorageBudget(bytes: bytes, unusedFor: unusedFor, bytesPerPartition: perPartition))
    }

    init(_ budget: StorageBudget) throws {
        folder = try TestFolder()
        events = Events()
        var environment = world.environment
        environment.log = events
        larder = try Larder(.folder(folder.url), options: LarderOptions(budget: budget), environment: environment)
    }

    var core: LarderCore { larder.core }

    func value(
        _ key: String, in partition: String = "", storage: ResourceOptions.Storage = .database, tags: [String] = []
    ) -> Resource<Data> {
        larder.partition(partition).bytes(
            key, policy: .cacheOnly, options: ResourceOptions(storage: storage, tags: tags)
        ) {
            _ in throw FetchFailure(.offline, "nobody is asked")
        }
    }

    /// Stores a value, a second after what was before.
    func store(
        _ key: String, _ bytes: Int, in partition: String = "", storage: ResourceOptions.Storage = .database,
        tags: [String] = []
    ) async throws {
        await world.advance(by: .seconds(1))
        try await value(key, in: partition, storage: storage, tags: tags).store(Data(repeating: 7, count: bytes))
    }

    /// The keys of what is stored.
    func keys(in partition: String = "") async throws -> Set<String> {
        Set(try await larder.resources().filter { $0.key.partition == partition }.map(\.key.key))
    }

    /// Waits until nothing is being trimmed.
    func settle() async { await core.keeper.settle() }

    /// The bytes of all files in the folder, as the file system has them, but for SQLite's log.
    func bytesOnDisk() throws -> Int {
        try folder.contents().filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.url(name).path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + ((attributes[.size] as? Int) ?? 0)
        }
    }
}
