import Dispatch
import Foundation
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// What counts where something is in a snapshot and in the cache, or happens at the same time.
@Suite struct SnapshotOrderTests {
    let world: SnapshotWorld

    init() throws { world = try SnapshotWorld() }

    private func number(_ key: String = "k", in larder: Larder, _ answer: Int) -> Resource<[Int]> {
        larder.common.resource(key, decoding: [Int].self) { _ in .number(answer) }
    }

    @Test func aLaterValueStaysAndAnEarlierOneGoes() async throws {
        _ = try await number("old", in: world.target, 1).read()
        await world.world.advance(by: .seconds(10))
        for key in ["old", "new"] { _ = try await number(key, in: world.source, 2).read() }
        await world.world.advance(by: .seconds(10))
        _ = try await number("new", in: world.target, 3).read()
        try await world.source.exportSnapshot(to: world.file)

        let report = try await world.target.importSnapshot(from: world.file)

        #expect(report.values == 1 && report.leftOut == [.isNewerHere: 1])
        #expect(try number("old", in: world.target, 0).peek()?.value == [2])
        #expect(try number("new", in: world.target, 0).peek()?.value == [3])
        try await world.target.importSnapshot(from: world.file, policy: .replace)
        #expect(try number("new", in: world.target, 0).peek()?.value == [2])
    }

    @Test func anAnswerThatWasAskedForBeforeTheImportTakesItsPlaceWhereItIsLater() async throws {
        _ = try await number(in: world.source, 1).read()
        try await world.source.exportSnapshot(to: world.file)
        await world.world.advance(by: .seconds(10))
        let gate = Gate()
        let origin = ScriptedFetch<ResourceRequest, RawAnswer>(.gated(gate, .number(2)))
        let asking = world.target.common.resource("k", decoding: [Int].self) { try await origin($0) }
        let read = Task { try await asking.read(.networkOnly) }
        await gate.reached()

        try await world.target.importSnapshot(from: world.file)
        #expect(try asking.peek()?.value == [1])
        gate.open()

        #expect(try await read.value.value == [2])
        #expect(try asking.peek()?.value == [2])
    }

    @Test func aSnapshotOfTheFutureIsOutrankedByWhatIsAskedForFromNowOn() async throws {
        let ahead = TestWorld()
        ahead.clock.set(wall: ahead.clock.now().addingTimeInterval(400 * 86_400))
        let future = try Larder(.folder(world.folder.url("future")), environment: ahead.environment)
        _ = try await number(in: future, 1).read()
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        _ = try await future.common.feed("f", paging: .byID, fetch: server.fetchPage).page(limit: 3)
        try await future.exportSnapshot(to: world.file)

        let before = world.target.core.stamps.next(at: world.world.clock.now()).order
        try await world.target.importSnapshot(from: world.file)
        let after = world.target.core.stamps.next(at: world.world.clock.now()).order

        #expect(after - before < 1000, "the clock of stamps has not jumped")
        let stamp = try world.target.core.sqliteStore.metadata(for: StoreKey(key: "k"))?.stamp
        #expect(try #require(stamp) < after && #require(stamp) > before - 1_000_000)
        #expect(try number(in: world.target, 2).peek()?.isStale == true)
        #expect(try await number(in: world.target, 2).read().value == [2])
        #expect(try await world.target.importSnapshot(from: world.file).values == 0)
    }

    @Test func aFeedThatIsThereStaysUnlessItIsToBeReplaced() async throws {
        let (old, new) = (
            try SimulatedFeedServer(.decimal, holding: 1...5), try SimulatedFeedServer(.decimal, holding: 6...9)
        )
        _ = try await world.target.common.feed("f", paging: .byID, fetch: old.fetchPage).page(limit: 5)
        _ = try await world.source.common.feed("f", paging: .byID, fetch: new.fetchPage).page(limit: 4)
        try await world.source.exportSnapshot(to: world.file)
        let feed = world.target.common.feed("f", paging: .byID, fetch: new.fetchPage)

        let report = try await world.target.importSnapshot(from: world.file)
        #expect(report.feeds == 0 && report.leftOut == [.isThereAlready: 1])
        #expect(try feed.peek()?.value.ids == ["5", "4", "3", "2", "1"])

        try await world.target.importSnapshot(from: world.file, policy: .replace)
        #expect(try feed.peek(limit: 4)?.value.ids == ["9", "8", "7", "6"])
    }

    @Test func whatWasRemovedOrSaidToHaveChangedDoesNotComeBack() async throws {
        for key in ["removed", "changed", "kept"] { _ = try await number(key, in: world.source, 1).read() }
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        _ = try await world.source.common.feed("f", paging: .byID, fetch: server.fetchPage).page(limit: 5)
        try await world.source.exportSnapshot(to: world.file)
        await world.world.advance(by: .seconds(10))
        try await number("removed", in: world.target, 0).remove()
        try await world.target.common.invalidate(.key("changed"))
        try await world.target.common.remove(item: "3")

        let report = try await world.target.importSnapshot(from: world.file)

        #expect(report.values == 1 && report.leftOut == [.isNewerHere: 2])
        #expect(try number("removed", in: world.target, 0).peek() == nil)
        let feed = world.target.common.feed("f", paging: .byID, fetch: server.fetchPage)
        #expect(try feed.peek()?.value.ids == ["5", "4", "2", "1"])
        #expect(try await world.target.importSnapshot(from: world.file, policy: .replace).values == 2)
    }

    @Test func whoFollowsIsTold() async throws {
        _ = try await number(in: world.source, 1).read()
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        _ = try await world.source.common.feed("f", paging: .byID, fetch: server.fetchPage).page(limit: 5)
        try await world.source.exportSnapshot(to: world.file)
        let followers = [
            world.target.core.changes.follow(.resource(StoreKey(key: "k"))),
            world.target.core.changes.follow(.feed(StoreKey(key: "f"))),
        ]
        let other = world.target.core.changes.follow(.resource(StoreKey(partition: "anna", key: "k")))

        try await world.target.importSnapshot(from: world.file)

        #expect(followers.allSatisfy { $0.takeNews().isChanged })
        #expect(!other.takeNews().isChanged)
    }

    @Test func anAccountThatWasSignedOutOfBeginsWithWhatIsTakenInAfterwards() async throws {
        try await world.put("k", size: 10, in: world.source.partition("anna"))
        try await world.source.exportSnapshot(to: world.file, partitions: .named("anna"))
        let before = world.target.partition("anna")
        try await before.signOut()

        let report = try await world.target.importSnapshot(from: world.file)

        #expect(report.values == 1)
        #expect(throws: LarderError.self) { try before.bytes("k") { _ in .number(0) }.peek() }
        #expect(try world.target.partition("anna").bytes("k") { _ in .number(0) }.peek()?.value.count == 10)
    }

    @Test func anExportOrImportThatIsGivenUpLeavesNothingBehind() async throws {
        try await world.fill(world.source)
        try Data("earlier".utf8).write(to: world.file)
        let names = Set(world.folder.contents().filter { !$0.hasPrefix("target") })
        let (source, file) = (world.source, world.file)

        await #expect(throws: StorageError.self) {
            try await Self.cancelledHalfway { tell in _ = try await source.exportSnapshot(to: file, progress: tell) }
        }

        #expect(try Data(contentsOf: world.file) == Data("earlier".utf8))
        #expect(Set(world.folder.contents().filter { !$0.hasPrefix("target") }) == names)
        try await source.exportSnapshot(to: world.file)
        let target = world.target
        await #expect(throws: StorageError.self) {
            try await Self.cancelledHalfway { tell in _ = try await target.importSnapshot(from: file, progress: tell) }
        }
        #expect(try await CacheContents(world.target) == CacheContents(world.fresh()))
        let blobs = world.folder.contents().filter { $0.hasPrefix("target/blobs") && $0.count > 20 }
        #expect(blobs.isEmpty)
    }

    /// Runs something whose task is cancelled when half of it is done.
    private static func cancelledHalfway(
        _ body: @escaping @Sendable (@escaping @Sendable (Double) -> Void) async throws -> Void
    ) async throws {
        let running = Mutex<Task<Void, any Error>?>(nil)
        let isKnown = DispatchSemaphore(value: 0)
        let task = Task {
            try await body { fraction in
                guard fraction >= 0.5, fraction < 1 else { return }
                // On a thread of its own, which may wait.
                isKnown.wait()
                isKnown.signal()
                running.withLock { $0?.cancel() }
            }
        }
        running.withLock { $0 = task }
        isKnown.signal()
        try await task.value
    }

    @Test func aSnapshotIsNeverPutAmongTheFilesOfTheCache() async throws {
        let folder = try #require(world.source.folder)
        let error = await #expect(throws: StorageError.self) {
            try await world.source.exportSnapshot(to: folder.appendingPathComponent("cache.sqlite"))
        }
        #expect(error?.kind == .notPermitted)
        _ = try await number(in: world.source, 1).read()
    }
}
