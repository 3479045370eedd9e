import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Who has waited for another process gets what that brought only if it is what was asked for.
@Suite(.timeLimit(.minutes(5))) struct AnotherProcessTests {
    private let folder: TestFolder
    private let world = TestWorld()
    private let larder: Larder
    /// The stamp of the other process's request.
    private let stamp: Int64

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: world.environment)
        stamp = (world.clock.now().millisecondsSince1970 + 1000) * 1000
    }

    private func begin(_ kind: String) async throws {
        let (stamp, expires) = (stamp, world.clock.now().millisecondsSince1970 + 60_000)
        try await larder.write { db in
            try db.execute(
                """
                INSERT INTO larder_lease (partition, kind, name, holder, stamp, expires)
                VALUES ('', \(kind), 'k', \("\(getppid()) 1"), \(stamp), \(expires))
                """)
        }
    }

    /// The other process ends its request, with this as what has happened meanwhile.
    private func end(_ sql: String) async throws {
        await world.clock.sleepers(atLeast: 1)
        try await larder.write { db in try db.executeScript("DELETE FROM larder_lease; \(sql) \(Refitted.rows)") }
        await world.advance(by: LarderCore.leaseInterval)
    }

    private func feed(_ origin: ScriptedFetch<PageRequest, Page<String>>) -> Feed<String> {
        larder.common.feed("k", id: \.self, paging: .cursor(order: .ranked)) { try await origin($0) }
    }

    @Test func `a refresh in the background is made after a request for something else`() async throws {
        let origin = ScriptedFetch<PageRequest, Page<String>>(
            .answer(Page(["a"], next: nil)), .answer(Page(["b"], next: nil)))
        let feed = feed(origin)
        _ = try await feed.page()
        try await begin("feed")
        #expect(try await feed.page(policy: .staleWhileRevalidate).value.items == ["a"])
        try await end("UPDATE larder_feed SET latest = \(stamp)")
        await larder.settle()
        #expect(try feed.peek()?.value.items == ["b"])
        try origin.verify()
    }

    @Test func `one in the background that has become needless is not made`() async throws {
        let origin = ScriptedFetch<PageRequest, Page<String>>(.answer(Page(["a"], next: nil)))
        let feed = feed(origin)
        _ = try await feed.page()
        try await begin("feed")
        #expect(try await feed.page(policy: .staleWhileRevalidate).value.items == ["a"])
        try await end("UPDATE larder_feed SET latest = \(stamp); UPDATE larder_segment SET stamp = \(stamp)")
        await larder.settle()
        try origin.verify()
    }

    @Test func `a page that has been invalidated since is asked for`() async throws {
        let origin = ScriptedFetch<PageRequest, Page<String>>(
            .answer(Page(["a"], next: nil)), .answer(Page(["b"], next: nil)))
        let feed = feed(origin)
        _ = try await feed.page()
        try await begin("feed")
        let reader = Task { try await feed.page(policy: .networkOnly) }
        try await end(
            "UPDATE larder_feed SET latest = \(stamp); UPDATE larder_segment SET stamp = \(stamp), lifetime = -1")
        #expect(try await reader.value.value.items == ["b"])
        try origin.verify()
    }

    @Test(arguments: ["lifetime = -1", "body = x'7b'"])
    func `a value that has been invalidated since, or is of no use here, is asked for`(change: String) async throws {
        let origin = ScriptedFetch<Void, Int>(.answer(1), .answer(2))
        let resource = larder.common.resource("k") { try await origin() }
        _ = try await resource.read()
        try await begin("resource")
        let reader = Task { try await resource.read(.networkOnly) }
        try await end("UPDATE larder_entry SET stamp = \(stamp), \(change)")
        #expect(try await reader.value.value == 2)
        try origin.verify()
    }
}
