import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What another process commits is seen by who follows. The other process is a connection that the larder knows nothing of,
/// or sqlite3(1).
@Suite(.timeLimit(.minutes(5))) struct OtherProcessTests {
    private let folder: TestFolder
    private let larder: Larder
    private let other: Database

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: TestWorld().environment)
        var configuration = Configuration()
        configuration.onOpen = { db in try RowChecksum.register(on: db) }
        other = try Database(.file(folder.url("cache.sqlite").path), configuration: configuration)
    }

    private func resource(_ key: String = "k") -> Resource<String> {
        larder.common.resource(key) { "" }
    }

    private func commit(_ sql: String) async throws {
        try await other.write { db in try db.executeScript(sql + Refitted.rows) }
    }

    private let change = "UPDATE larder_entry SET body = x'2232222020', stamp = stamp + 1 WHERE key = 'k'"

    @Test func `a resource that another process has stored anew is shown`() async throws {
        try await resource().store("1")
        var updates = resource().updates(refresh: .never).makeAsyncIterator()
        #expect(try await updates.next()?.value == "1")
        try await commit(change)
        #expect(try await updates.next()?.value == "2")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "wants sqlite3(1)"))
    func `so is what a program removes`() async throws {
        try await resource().store("1")
        var updates = resource().updates(refresh: .never).makeAsyncIterator()
        #expect(try await updates.next()?.value == "1")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        // Without patience it would end with nothing done where this process happens to write.
        process.arguments = ["-cmd", ".timeout 100000", folder.url("cache.sqlite").path, "DELETE FROM larder_entry"]
        try process.run()
        let snapshot = try #require(try await updates.next())
        #expect(snapshot.value == nil && snapshot.error == nil)
        process.waitUntilExit()
    }

    @Test func `a feed is looked at again, and rows are taken out`() async throws {
        let feed = larder.common.feed("home", id: \.self, paging: .cursor(order: .ranked)) { _ in
            Page(["a", "b"], next: nil)
        }
        _ = try await feed.page()
        var updates = feed.updates(refresh: .never).makeAsyncIterator()
        #expect(try await updates.next()?.timeline?.value.ids.count == 2)
        try await commit("DELETE FROM larder_feed_item; DELETE FROM larder_segment; DELETE FROM larder_edge")
        #expect(try await updates.next()?.changes.removals.isEmpty == false)
    }

    @Test func `what is not another one is not shown again`() async throws {
        try await resource().store("1")
        var updates = resource().updates(refresh: .never).makeAsyncIterator()
        #expect(try await updates.next()?.value == "1")
        for number in 0..<20 { try await commit("INSERT INTO larder_counter VALUES ('\(number)', 1)") }
        try await commit(change)
        #expect(try await updates.next()?.value == "2")
    }

    @Test func `it is watched while somebody follows, and no longer`() async throws {
        let processes = larder.core.processes
        #expect(!processes.isWatching)
        var first: ChangeFollower? = larder.core.changes.follow(.resource(StoreKey(key: "k")))
        let second = larder.core.changes.follow(.feed(StoreKey(key: "f")))
        #expect(processes.isWatching)
        withExtendedLifetime(first) {}
        first = nil
        #expect(processes.isWatching)
        withExtendedLifetime(second) { larder.close() }
        #expect(!processes.isWatching)
        _ = larder.changes()
        #expect(!processes.isWatching)
    }

    @Test func `own commits are no news`() async throws {
        try await resource().store("1")
        // What looks by itself, once to begin with, is not in the way.
        larder.core.processes.close()
        let look = ProcessLook(larder.core.database, larder.core.changes)
        let follower = larder.core.changes.follow(.feed(StoreKey(key: "f")))
        look.look()
        for number in 0..<5 {
            try await resource().store("\(number)")
            look.look()
        }
        #expect(!follower.takeNews().isSupposed)
        try await commit(change)
        look.look()
        #expect(follower.takeNews().isSupposed)
        look.look()
        #expect(!follower.takeNews().isSupposed)
    }

    @Test func `commits before the first look are told of once`() async throws {
        // What looks by itself, once to begin with, is not in the way.
        larder.core.processes.close()
        let look = ProcessLook(larder.core.database, larder.core.changes)
        let follower = larder.core.changes.follow(.feed(StoreKey(key: "f")))
        try await commit("INSERT INTO larder_counter VALUES ('a', 1)")
        look.look()
        #expect(follower.takeNews().isSupposed)
        look.look()
        #expect(!follower.takeNews().isSupposed)
    }

    @Test func `who follows when another process signs out is told so`() async throws {
        let resource = larder.partition("ann").resource("k") { "1" }
        _ = try await resource.read()
        var updates = resource.updates(refresh: .never).makeAsyncIterator()
        #expect(try await updates.next()?.value == "1")
        _ = try await other.write { db in try PartitionTable.end("ann", in: db) }
        while let snapshot = try await updates.next() {
            guard case .signedOut? = snapshot.error else { continue }
            return
        }
    }
}
