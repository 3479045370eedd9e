import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// All changes of a cache, for one who looks at it from outside.
@Suite(.timeLimit(.minutes(5))) struct LarderChangesTests {
    private let folder: TestFolder
    private let larder: Larder
    private let other: Database
    private let key = StoreKey(key: "k")

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: TestWorld().environment)
        var configuration = Configuration()
        configuration.onOpen = { db in try RowChecksum.register(on: db) }
        other = try Database(.file(folder.url("cache.sqlite").path), configuration: configuration)
    }

    private func commit(_ sql: String) async throws {
        try await other.write { db in try db.executeScript(sql + Refitted.rows) }
    }

    private func fill() async throws {
        for key in ["j", "k", "l"] { try await larder.common.resource(key) { "" }.store("1") }
        _ = try await feed.page()
    }

    private var feed: Feed<String> {
        larder.common.feed("home", id: \.self, paging: .cursor(order: .ranked)) { _ in Page(["a", "b"], next: nil) }
    }

    @Test(arguments: [
        (
            "UPDATE larder_entry SET stamp = stamp + 1 WHERE key = 'k'",
            [LarderChange.Subject.resource(StoreKey(key: "k"))]
        ),
        ("UPDATE larder_entry SET lifetime = 7 WHERE key = 'k'", [.resource(StoreKey(key: "k"))]),
        ("DELETE FROM larder_entry WHERE key > 'j'", [.resource(StoreKey(key: "k")), .resource(StoreKey(key: "l"))]),
        ("UPDATE larder_feed SET latest = latest + 1", [.feed(StoreKey(key: "home"))]),
        ("UPDATE larder_segment SET lifetime = -1", [.feed(StoreKey(key: "home"))]),
        ("DELETE FROM larder_feed_item WHERE id = 'a'", [.feed(StoreKey(key: "home"))]),
        ("INSERT INTO larder_partition VALUES ('', 1); DELETE FROM larder_entry", [.partition("")]),
        ("INSERT INTO larder_counter VALUES ('a', 1)", []),
    ]) func `what another process has changed is named`(sql: String, expected: [LarderChange.Subject]) async throws {
        try await fill()
        let before = try larder.read { try StoredState($0) }
        try await commit(sql)
        let after = try larder.read { try StoredState($0, after: before) }
        #expect(after.changes(since: before) == expected)
    }

    @Test func `of very many values those that came are named, and the rest is not passed over`() async throws {
        try await fill()
        func state(after earlier: StoredState? = nil) throws -> StoredState {
            try larder.read { try StoredState($0, after: earlier, limit: 2) }
        }
        var before = try state()
        try await commit("UPDATE larder_entry SET stamp = stamp + 1000000 WHERE key = 'k'")
        var after = try state(after: before)
        #expect(after.changes(since: before) == [.resource(key)])
        before = after
        try await commit("DELETE FROM larder_entry WHERE key = 'j'; INSERT INTO larder_counter VALUES ('a', 1)")
        after = try state(after: before)
        #expect(after.changes(since: before) == [.everything])
        #expect(try state(after: after).changes(since: after).isEmpty)
    }

    @Test func `both processes are told apart`() async throws {
        try await fill()
        var changes = larder.changes().makeAsyncIterator()
        try await larder.common.resource("l") { "" }.store("2")
        var first = await changes.next()
        // What was committed while listening began may have been anybody's.
        if first == LarderChange(.everything, by: .otherProcess) { first = await changes.next() }
        #expect(first == LarderChange(.resource(StoreKey(key: "l")), by: .thisProcess))
        try await commit("UPDATE larder_entry SET stamp = stamp + 1 WHERE key = 'k'")
        // Committed before it was known what there was: anything may have changed.
        let change = await changes.next()
        #expect(change?.origin == .otherProcess)
        guard change?.subject == .everything else {
            #expect(change?.subject == .resource(key))
            return
        }
        try await commit("UPDATE larder_entry SET stamp = stamp + 1 WHERE key = 'k'")
        #expect(await changes.next() == LarderChange(.resource(key), by: .otherProcess))
    }

    @Test func `what this process does is not laid at another's door`() async throws {
        try await fill()
        // What looks by itself is not in the way.
        larder.core.processes.close()
        let look = ProcessLook(larder.core.database, larder.core.changes)
        let listener = larder.core.changes.journal.listen()
        look.look()
        try await larder.common.resource("l") { "" }.store("2")
        _ = try await feed.page(policy: .networkOnly)
        look.look()
        try await commit("UPDATE larder_entry SET stamp = stamp + 1 WHERE key = 'k'")
        look.look()
        #expect(await listener.next() == LarderChange(.resource(StoreKey(key: "l")), by: .thisProcess))
        #expect(await listener.next() == LarderChange(.feed(StoreKey(key: "home")), by: .thisProcess))
        #expect(await listener.next() == LarderChange(.resource(key), by: .otherProcess))
    }

    @Test func `what is not taken adds up and stays small`() async {
        let journal = larder.core.changes.journal
        let listener = journal.listen()
        for _ in 0..<3 { journal.note(.resource(key)) }
        journal.note([.resource(key)], by: .otherProcess)
        #expect(await listener.next() == LarderChange(.resource(key), by: .thisProcess))
        #expect(await listener.next() == LarderChange(.resource(key), by: .otherProcess))
        for number in 0...ChangeListener.limit { journal.note(.resource(StoreKey(key: "\(number)"))) }
        journal.note(.resource(key))
        #expect(await listener.next() == LarderChange(.everything, by: .thisProcess))
        #expect(await listener.next() == LarderChange(.resource(key), by: .thisProcess))
    }

    @Test func `it ends with the larder, and for a task that is cancelled`() async {
        let changes = larder.changes()
        let cancelled = Task { for await _ in larder.changes() {} }
        let ended = Task { for await _ in changes {} }
        cancelled.cancel()
        await cancelled.value
        larder.close()
        await ended.value
        for await _ in larder.changes() {}
    }
}
