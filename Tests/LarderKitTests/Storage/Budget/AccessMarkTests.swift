import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct AccessMarkTests {
    private func usedAt(_ key: String, _ larder: Larder) throws -> Int64? {
        try larder.read { db in
            try db.first("SELECT used_at FROM larder_entry WHERE key = \(key)") { try $0.int64(0) }
        }
    }

    @Test func `no read writes, and the next write saves what was read`() async throws {
        let world = try BudgetWorld(nil)
        try await world.store("a", 10)
        try await world.store("b", 10)
        let stored = try usedAt("a", world.larder)
        await world.world.advance(by: .seconds(4000))
        let mark = world.core.database.commitMark
        for _ in 0..<10 { _ = try world.value("a").peek() }
        #expect(world.core.database.commitMark == mark)
        #expect(world.core.marks.count == 1)
        #expect(try usedAt("a", world.larder) == stored)
        let now = world.world.clock.now().millisecondsSince1970
        try await world.store("c", 10)
        #expect(try usedAt("a", world.larder) == now)
        #expect(world.core.marks.count == 0)
    }

    @Test func `what was used lately is not noted again`() async throws {
        let world = try BudgetWorld(nil)
        try await world.store("a", 10)
        await world.world.advance(by: .seconds(3000))
        _ = try world.value("a").peek()
        #expect(world.core.marks.count == 0)
    }

    @Test func `what was read is known after the cache was closed, files and feeds as well`() async throws {
        let world = try BudgetWorld(nil)
        let server = try SimulatedFeedServer(.decimal, holding: 1...30)
        let feed: Feed<SimulatedFeedServer.Item> = world.larder.common.feed("f", paging: .byID, fetch: server.fetchPage)
        try await world.store("a", 10)
        try await world.store("file", 10, storage: .files)
        try await feed.refresh()
        try await world.core.saveMarks()
        await world.world.advance(by: .seconds(4000))
        _ = try world.value("a").peek()
        _ = try world.value("file", storage: .files).peek()
        _ = try feed.peek()
        let now = world.world.clock.now().millisecondsSince1970
        world.larder.close()
        let again = try Larder(.folder(world.folder.url), environment: world.world.environment)
        #expect(try usedAt("a", again) == now)
        #expect(try again.read { db in try db.first("SELECT used_at FROM larder_feed") { try $0.int64(0) } } == now)
        #expect((again.core.fileStore as? FileStore)?.storedFiles().map(\.usedAt) == [now])
    }

    @Test func `marks are bounded, and none is lost that was taken`() {
        let marks = AccessMarks()
        for number in 0..<5000 { marks.note(.value(StoreKey(key: "\(number)")), at: 7) }
        #expect(marks.count == AccessMarks.limit)
        let some = marks.takeAlong()
        #expect(some.count == AccessMarks.along && marks.count == AccessMarks.limit - some.count)
        marks.giveBack(some)
        #expect(marks.takeAll().count == AccessMarks.limit && marks.count == 0)
    }

    @Test func `what was just stored is noted whatever was known of it`() {
        let marks = AccessMarks()
        let file = AccessMarks.Used.file(StoreKey(key: "f"))
        marks.note(file, at: 1)
        #expect(marks.takeAll() == [file: 1])
        marks.note(file, at: 2)
        #expect(marks.count == 0)
        marks.note(file, at: 3, isNew: true)
        #expect(marks.takeAlong().isEmpty && marks.takeAll() == [file: 3])
    }
}
