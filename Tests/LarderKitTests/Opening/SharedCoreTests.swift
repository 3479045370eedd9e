import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5)))
struct SharedCoreTests {
    private let folder: TestFolder
    private let world = TestWorld()

    init() throws { folder = try TestFolder() }

    private func open(_ url: URL? = nil) throws(StorageError) -> Larder {
        try Larder(.folder(url ?? folder.url), environment: world.environment)
    }

    @Test func `opening a folder twice gives one cache, whatever the path to it`() throws {
        let place = folder.url.appendingPathComponent("cache", isDirectory: true)
        let link = folder.url("link")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: place)
        let paths = [
            place.path, place.path + "/", folder.url.path + "/./cache", folder.url.path + "/cache/../cache", link.path,
        ]
        let larders = try paths.map { try open(URL(fileURLWithPath: $0)) }
        for larder in larders { #expect(larder.core === larders[0].core, "\(larder.folder?.path ?? "")") }
    }

    @Test func `many that open one new folder at once get one cache`() async throws {
        let larders = try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try open() } }
            return try await group.reduce(into: [Larder]()) { $0.append($1) }
        }
        for larder in larders { #expect(larder.core === larders[0].core) }
    }

    @Test func `a cache that nobody holds any more is opened anew, with what it held`() async throws {
        weak var first: LarderCore?
        do {
            let larder = try open()
            first = larder.core
            _ = try await larder.common.resource("k") { 1 }.read()
        }
        #expect(first == nil)
        #expect(try open().common.resource("k") { 2 }.peek()?.value == 1)
    }

    /// Each has its own connections, flights and stamps, as in a process of its own.
    private func processes(_ count: Int) throws -> [Partition] {
        try (0..<count).map { _ in
            Partition(core: try LarderCore(folder: folder.url, environment: world.environment), name: "")
        }
    }

    @Test func `two processes on one file see each other's values`() async throws {
        let partitions = try processes(2)
        let resources = partitions.enumerated().map { number, partition in partition.resource("k") { number } }
        _ = try await resources[0].read()
        #expect(try resources[1].peek()?.value == 0)
        await world.advance(by: .seconds(1))
        _ = try await resources[1].read()
        #expect(try resources[0].peek()?.value == 1)
    }

    @Test(arguments: [ResourceOptions.Storage.database, .files])
    func `of two processes the one that asked later is right, whoever is answered first`(
        storage: ResourceOptions.Storage
    ) async throws {
        let partitions = try processes(2)
        let gate = LarderTestKit.Gate()
        let slow = ScriptedFetch<Void, Int>(.gated(gate, 1), .answer(3))
        let options = ResourceOptions(storage: storage)
        let early = partitions[0].resource("k", options: options) { try await slow() }
        let late = partitions[1].resource("k", options: options) { 2 }
        let reader = Task { try await early.read() }
        await gate.reached()
        await world.advance(by: .milliseconds(1))
        _ = try await late.read()
        gate.open()
        let reading = try await reader.value
        #expect(reading.value == 1)
        #expect(reading.warnings.map(\.description) == [ReadingWarning.superseded.description])
        #expect(try early.peek()?.value == 2 && late.peek()?.value == 2)

        await world.advance(by: .milliseconds(1))
        #expect(try await early.read().value == 3)
        #expect(try late.peek()?.value == 3)
        try await late.remove()
        #expect(try early.peek() == nil)
    }

    @Test func `feeds that nobody uses any more leave nothing behind, those in use stay the same`() throws {
        let core = try open().core
        let held = (0..<10).map { core.feedState(StoreKey(key: "held \($0)")) }
        for number in 0..<5000 { _ = core.feedState(StoreKey(key: "\(number)")) }
        #expect(core.feedStateCount <= LarderCore.idleFeeds)
        for (number, state) in held.enumerated() {
            #expect(core.feedState(StoreKey(key: "held \(number)")) === state)
        }
    }

    @Test func `several processes may make the same cache at once, and write to it`() async throws {
        let (folder, environment) = (folder.url, world.environment)
        try await withThrowingTaskGroup { group in
            for number in 0..<6 {
                group.addTask {
                    let core = try LarderCore(folder: folder, environment: environment)
                    for key in 0..<20 {
                        _ = try await Partition(core: core, name: "\(number)").resource("\(key)") { key }.read()
                    }
                    core.close()
                }
            }
            try await group.waitForAll()
        }
        let summaries = try await open().core.sqliteStore.summaries()
        #expect(summaries.count == 120)
    }

    @Test func `a cache may lose its last handle inside a write`() async throws {
        for _ in 0..<200 {
            let larder = try Larder(.temporary, environment: world.environment)
            try await larder.write { [larder] db in
                try db.executeScript("CREATE TABLE t (a)")
                withExtendedLifetime(larder) {}
            }
        }
    }

    // MARK: - Closing

    @Test func `after closing every call says that the larder is closed`() async throws {
        let larder = try open()
        let other = try open()
        let resources = [ResourceOptions.Storage.database, .files, .memory, .store(MemoryStore())].map { storage in
            other.common.resource("k", options: .init(storage: storage)) { 1 }
        }
        for resource in resources { _ = try await resource.read() }
        larder.close()
        larder.close()
        for resource in resources {
            await expect(.storage(.closed)) { try resource.peek() }
            for policy in [ReadPolicy.cacheFirst, .networkFirst, .networkOnly, .cacheOnly, .staleWhileRevalidate] {
                await expect(.storage(.closed)) { try await resource.read(policy) }
            }
            await expect(.storage(.closed)) { try await resource.remove() }
        }
        await expect(.storage(.closed)) { try await other.common.remove(item: "1") }
        let feed = other.common.feed("f", id: \.self, paging: .byID) { _ in Page(["1"]) }
        await expect(.storage(.closed)) { try await feed.page(.newest) }
        await expect(.storage(.closed)) { try feed.timeline() }
        #expect(throws: (any Error).self) { try other.read { _ in } }
        await #expect(throws: (any Error).self) { try await other.write { _ in } }
        #expect(StorageError.closed.nextStep?.isEmpty == false)
    }

    @Test func `what is under way when the larder closes comes back, and is not kept`() async throws {
        let larder = try open()
        let gate = LarderTestKit.Gate()
        let origin = ScriptedFetch<Void, Int>(.gated(gate, 1))
        let reader = Task { try await larder.common.resource("k") { try await origin() }.read() }
        await gate.reached()
        larder.close()
        gate.open()
        let reading = try await reader.value
        #expect(reading.value == 1)
        guard case .notKept(let error)? = reading.warnings.first else {
            Issue.record("no warning: \(reading.warnings)")
            return
        }
        #expect(error.kind == .closed)
    }

    @Test func `a closed cache can be opened again`() async throws {
        let larder = try open()
        _ = try await larder.common.resource("k") { 1 }.read()
        larder.close()
        let again = try open()
        #expect(again.core !== larder.core)
        #expect(try again.common.resource("k") { 2 }.peek()?.value == 1)
    }
}
