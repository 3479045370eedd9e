import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// What is left of an account that has signed out: nothing, for nobody.
@Suite(.timeLimit(.minutes(5)))
struct SignOutTests {
    private typealias Item = SimulatedFeedServer.Item
    private static let secret = "s3cr3t-of-the-account"

    private let folder: TestFolder
    private let world = TestWorld()
    private let larder: Larder

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: world.environment)
    }

    private func resource(
        _ partition: Partition, _ storage: ResourceOptions.Storage = .database, _ value: String = secret
    ) -> Resource<String> {
        partition.resource(
            "profile \(Self.secret)", maxAge: .seconds(60),
            options: .init(storage: storage, tags: ["tag \(Self.secret)"])
        ) { _ in .value(value, validators: Validators(etag: Self.secret)) }
    }

    /// An id that tells whose it is.
    private func id(_ number: String) -> ItemID { ItemID("\(number) \(Self.secret)") }

    private func feed(_ partition: Partition) -> Feed<Item> {
        partition.feed("home \(Self.secret)", paging: .byID(), maxAge: .seconds(60)) { [self] _ in
            Page([Item(id("2")), Item(id("1"))])
        }
    }

    /// A partition with something in every place.
    private func filled(_ name: String, of larder: Larder? = nil) async throws -> Partition {
        let partition = (larder ?? self.larder).partition(name)
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            _ = try await resource(partition, storage).read()
            _ = try await resource(partition, storage).read()
        }
        let feed = feed(partition)
        _ = try await feed.page()
        try await feed.keep(anchor: id("1"))
        try await partition.remove(item: id("2"))
        _ = try await resource(partition).read()
        return partition
    }

    private func holdsNothing(_ partition: Partition) throws -> Bool {
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            guard try resource(partition, storage).peek() == nil else { return false }
        }
        let feed = feed(partition)
        return try feed.peek() == nil && feed.timeline() == nil
    }

    /// The files of the cache that hold some bytes.
    private func files(holding text: String) -> [String] {
        folder.contents().filter { path in
            let url = folder.url.appendingPathComponent(path)
            guard !url.hasDirectoryPath, let bytes = try? Data(contentsOf: url) else { return path.contains(text) }
            return path.contains(text) || bytes.range(of: Data(text.utf8)) != nil
        }
    }

    // MARK: Nothing is left

    @Test func `no byte of the account is left in any file, and no row bears its name`() async throws {
        let me = try await filled("account-4711")
        #expect(!files(holding: Self.secret).isEmpty)
        try await me.signOut()
        #expect(files(holding: Self.secret) == [])
        let rows = try larder.read { db in
            let tables = try db.query(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'larder_*'"
            ) { try $0.text(0) }
            return try tables.filter { table in
                let columns = try db.query("SELECT name FROM pragma_table_info(\(table))") { try $0.text(0) }
                guard columns.contains("partition") else { return false }
                return try db.first(SQL(raw: "SELECT 1 FROM \(table) WHERE partition = 'account-4711'")) { _ in true }
                    ?? false
            }
        }
        #expect(rows == [])
        let items = try larder.read { db in try db.first("SELECT count(*) FROM larder_item") { try $0.int(0) } }
        #expect(items == 0)
    }

    @Test(arguments: [
        ("me", "Me"), ("me", "me2"), ("me2", "me"), ("me", "me "), ("m\u{e9}", "me\u{301}"), ("", "me"), ("me", ""),
        ("a%", "ab"), ("a_", "ab"), ("a", "a\0b"),
    ])
    func `another partition keeps everything, however alike its name`(name: String, other: String) async throws {
        let leaving = try await filled(name)
        let staying = try await filled(other)
        try await leaving.signOut()
        #expect(try holdsNothing(larder.partition(name)))
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            #expect(try resource(staying, storage).peek()?.value == Self.secret)
        }
        #expect(try feed(staying).peek()?.value.ids == [id("1")])
        #expect(try await resource(staying).read().source == .cache)
    }

    @Test func `who signs in next under the same name sees nothing, and keeps what is his`() async throws {
        let old = try await filled("me")
        try await old.signOut()
        let new = larder.partition("me")
        #expect(try holdsNothing(new))
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            #expect(try await resource(new, storage, "new").read().value == "new")
        }
        #expect(try await feed(new).page().source == .network)
        // The old one signs out once more.
        try await old.signOut()
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            #expect(try resource(new, storage).peek()?.value == "new")
        }
        #expect(try feed(new).peek() != nil)
        await expect(.signedOut) { try resource(old).peek() }
    }

    @Test func `signing out twice at once is signing out`() async throws {
        let me = try await filled("me")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await me.signOut() } }
            try await group.waitForAll()
        }
        #expect(try holdsNothing(larder.partition("me")))
        #expect(try await resource(larder.partition("me"), .files, "new").read().value == "new")
    }

    // MARK: Old handles

    @Test func `every use of a handle made before throws`() async throws {
        let me = try await filled("me")
        let feed = feed(me)
        let anchor = id("1")
        try await me.signOut()
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            let resource = self.resource(me, storage)
            for policy in [
                ReadPolicy.cacheFirst, .staleWhileRevalidate, .networkFirst, .cacheOnly, .networkOnly,
                .networkFirst(patience: .zero),
            ] {
                await expect(.signedOut) { try await resource.read(policy) }
            }
            await expect(.signedOut) { try resource.peek() }
            await expect(.signedOut) { try await resource.store("x") }
            await expect(.signedOut) { try await resource.remove() }
        }
        for policy in [ReadPolicy.cacheFirst, .staleWhileRevalidate, .networkFirst, .cacheOnly, .networkOnly] {
            await expect(.signedOut) { try await feed.page(policy: policy) }
        }
        await expect(.signedOut) { try feed.peek() }
        await expect(.signedOut) { try await feed.refresh() }
        await expect(.signedOut) { try await feed.loadOlder() }
        await expect(.signedOut) { try await feed.fill(Gap(above: "2", below: "1")) }
        await expect(.signedOut) { try await feed.revalidate(olderThan: .zero) }
        await expect(.signedOut) { try feed.timeline() }
        await expect(.signedOut) { try feed.gaps() }
        await expect(.signedOut) { try await feed.trim(to: .newest(1)) }
        await expect(.signedOut) { try await feed.trim(between: "2", and: "1") }
        await expect(.signedOut) { try await feed.pin() }
        await expect(.signedOut) { try feed.isPinned() }
        await expect(.signedOut) { try await feed.keep(anchor: anchor) }
        await expect(.signedOut) { try feed.anchor() }
        await expect(.signedOut) { try await me.remove(item: anchor) }
        #expect(try holdsNothing(larder.partition("me")))
    }

    @Test func `what is followed ends, and what is followed later ends at once`() async throws {
        let me = try await filled("me")
        let (resource, feed) = (resource(me), feed(me))
        let seen = LarderTestKit.Gate()
        let following = Task {
            for await _ in resource.updates(refresh: .never) { seen.open() }
        }
        let alsoSeen = LarderTestKit.Gate()
        let alsoFollowing = Task {
            for await _ in feed.updates(refresh: .never) { alsoSeen.open() }
        }
        try await seen.wait()
        try await alsoSeen.wait()
        try await me.signOut()
        await following.value
        await alsoFollowing.value
        for await snapshot in resource.updates() { #expect(snapshot.reading == nil) }
        for await snapshot in feed.updates() { #expect(snapshot.timeline == nil) }
    }

    // MARK: Under way

    /// Waits at a gate, whatever becomes of its task.
    private final class Stubborn: Sendable {
        private let state = Mutex<(isOpen: Bool, continuations: [CheckedContinuation<Void, Never>])>((false, []))
        let arrived = LarderTestKit.Gate()

        func wait() async {
            arrived.open()
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.continuations.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return state.continuations
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    @Test(arguments: [ResourceOptions.Storage.database, .files, .memory], [nil, Duration.seconds(3)])
    func `who waits is told, and a late answer is stored nowhere`(
        storage: ResourceOptions.Storage, patience: Duration?
    ) async throws {
        let gate = Stubborn()
        let old = larder.partition("me")
        _ = try await resource(old, storage).read()
        let slow = old.resource("profile \(Self.secret)", options: .init(storage: storage)) {
            await gate.wait()
            return Self.secret
        }
        let policy: ReadPolicy = patience.map { .networkFirst(patience: $0) } ?? .networkOnly
        let readers = (0..<3).map { _ in Task { try await slow.read(policy) } }
        try await gate.arrived.wait()
        while larder.waitingReaders < 3 { await Task.yield() }
        try await old.signOut()
        for reader in readers { await expect(.signedOut) { try await reader.value } }
        let new = larder.partition("me")
        gate.open()
        await larder.settle()
        #expect(try holdsNothing(new))
        #expect(files(holding: Self.secret) == [])
    }

    @Test func `a feed that is being asked brings nothing any more`() async throws {
        let gate = Stubborn()
        let old = larder.partition("me")
        let slow: Feed<Item> = old.feed("home \(Self.secret)", paging: .byID()) { _ in
            await gate.wait()
            return Page([Item(id("2"))])
        }
        let readers = [
            Task { _ = try await slow.page() }, Task { _ = try await slow.refresh() },
            Task { _ = try await slow.page(.older(than: "7")) },
        ]
        try await gate.arrived.wait()
        try await old.signOut()
        for reader in readers { await expect(.signedOut) { try await reader.value } }
        // The lane is free for who comes next, though the closure still runs.
        let new: Feed<Item> = larder.partition("me").feed("home \(Self.secret)", paging: .byID()) { _ in
            Page([Item("9")])
        }
        #expect(try await new.page().value.ids == ["9"])
        gate.open()
        await larder.settle()
        #expect(try new.peek()?.value.ids == ["9"])
    }

    @Test func `a request that is to be made again is not`() async throws {
        let old = larder.partition("me")
        let origin = ScriptedFetch<Void, Int>(.fail(.http(status: 503)))
        let resource = old.resource("k", options: .init(retry: .standard)) { try await origin() }
        let reader = Task { try await resource.read() }
        await origin.requests(atLeast: 1)
        await world.clock.sleepers(atLeast: 1)
        try await old.signOut()
        await expect(.signedOut) { try await reader.value }
        await world.advance(by: .seconds(60))
        await larder.settle()
        try origin.verify()
    }

    @Test func `who waits for another process is told`() async throws {
        let old = larder.partition("me")
        // The process of the tests' parent asks for the same, and never ends.
        let (holder, expires) = ("\(getppid()) 1", Int64(world.clock.now().timeIntervalSince1970 * 1000) + 600_000)
        try await larder.write { db in
            try db.execute("INSERT INTO larder_lease VALUES ('me', 'resource', 'k', \(holder), 1, \(expires))")
        }
        let origin = ScriptedFetch<Void, Int>()
        let resource = old.resource("k") { try await origin() }
        let reader = Task { try await resource.read() }
        await world.clock.sleepers(atLeast: 1)
        try await old.signOut()
        await expect(.signedOut) { try await reader.value }
        await larder.settle()
        try origin.verify()
    }

    @Test func `an answer asked for by an old handle at the last moment is nothing to a new one`() async throws {
        let old = larder.partition("me")
        try await old.signOut()
        // As if the old reader had looked just before, and then had to wait for its turn.
        let gate = LarderTestKit.Gate()
        for number in 0..<FlightMachine.sharedBudget {
            let other = larder.common.resource("\(number)") { try await gate.wait() == () }
            ResourceRead(resource: other, policy: .networkOnly).start()
        }
        ResourceRead(resource: resource(old), policy: .networkOnly).start()
        let new = resource(larder.partition("me"), .database, "new")
        let reader = Task { try await new.read() }
        while larder.waitingReaders < 1 { await Task.yield() }
        gate.open()
        #expect(try await reader.value.value == "new")
    }

    /// Who signs in, one after the other.
    private final class Owners: Sendable {
        private let numbers = Mutex((now: 0, gone: 0))

        var now: Int { numbers.withLock { $0.now } }
        /// All before this one have gone.
        var first: Int { numbers.withLock { $0.gone } }

        func change() { numbers.withLock { $0.now += 1 } }
        func hasChanged() { numbers.withLock { $0.gone = $0.now } }
    }

    @Test(arguments: [ResourceOptions.Storage.database, .files, .memory])
    func `whatever is read while it signs out, nobody sees what was there before he came`(
        storage: ResourceOptions.Storage
    ) async throws {
        let (larder, owners) = (larder, Owners())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        let first = owners.first
                        let resource = larder.partition("me").resource(
                            "k", maxAge: .seconds(60), options: .init(storage: storage)
                        ) {
                            let owner = owners.now
                            await Task.yield()
                            return owner
                        }
                        do throws(LarderError) {
                            #expect(try await resource.read().value >= first)
                        } catch {
                            #expect(Refusal(error) == .signedOut)
                        }
                    }
                }
            }
            group.addTask {
                for _ in 0..<25 {
                    owners.change()
                    try await larder.partition("me").signOut()
                    owners.hasChanged()
                    for _ in 0..<20 { await Task.yield() }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Trouble

    @Test func `signing out that fails says so, shows nothing meanwhile, and can be done again`() async throws {
        let old = try await filled("me")
        try await larder.write { db in
            try db.executeScript(
                "CREATE TRIGGER trouble BEFORE DELETE ON larder_entry BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        await #expect(throws: LarderError.self) { try await old.signOut() }
        await expect(.signedOut) { try resource(old).peek() }
        let between = larder.partition("me")
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            await expect(.signedOut) { try resource(between, storage).peek() }
            await expect(.signedOut) { try await resource(between, storage).read() }
        }
        await expect(.signedOut) { try feed(between).peek() }
        await #expect(throws: LarderError.self) { try await between.signOut() }
        try await larder.write { db in try db.executeScript("DROP TRIGGER trouble") }
        try await between.signOut()
        #expect(files(holding: Self.secret) == [])
        let new = larder.partition("me")
        #expect(try holdsNothing(new))
        #expect(try await resource(new, .files, "new").read().value == "new")
    }
}
