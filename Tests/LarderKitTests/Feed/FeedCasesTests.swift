import Foundation
import LarderKit
import LarderTestKit
import Testing

/// Faults that people met in timeline apps, played against a server that pages by ranges of ids.
@Suite struct FeedCasesTests {
    typealias Item = SimulatedFeedServer.Item

    let world = TestWorld()

    private func ids(_ range: ClosedRange<Int>) -> [ItemID] {
        range.reversed().map { ItemID($0) }
    }

    private func feed(_ server: SimulatedFeedServer, _ larder: Larder, paging: Paging = .byID) -> Feed<Item> {
        larder.common.feed("home", paging: paging, fetch: server.fetchPage)
    }

    private func ids(_ feed: Feed<Item>) throws -> [ItemID] {
        try (feed.timeline()?.value ?? Timeline()).compactMap { row in
            if case .item(let id, _) = row { id } else { nil }
        }
    }

    @Test func aRefreshAfterALongPauseLeavesAVisibleGapThatReadingOnCloses() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 21...40)
        let feed = feed(server, .inMemory(environment: world.environment))
        try await feed.refresh()
        #expect(try ids(feed) == ids(21...40))
        #expect(try feed.gaps() == [])

        try server.insert(41...100)
        try await feed.refresh()
        #expect(try ids(feed) == ids(81...100) + ids(21...40))
        #expect(try feed.gaps() == [Gap(above: "81", below: "40")])

        let first = try await feed.page(.older(than: "81"))
        #expect(first.value.ids == ids(61...80))
        #expect(try feed.gaps() == [Gap(above: "61", below: "40")])

        let second = try await feed.page(.older(than: "61"))
        #expect(second.value.ids == ids(41...60))
        let third = try await feed.page(.older(than: "41"))
        #expect(third.value.ids == ids(21...40))
        #expect(try feed.gaps() == [])
        #expect(try ids(feed) == ids(21...100))
    }

    @Test func severalGapsSurviveARestartAndFillingOneLeavesTheOther() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let shown = ids(121...140) + ids(61...80) + ids(1...20)
        let gaps = [Gap(above: "121", below: "80"), Gap(above: "61", below: "20")]
        do {
            let larder = try Larder(.folder(folder), environment: world.environment)
            let feed = feed(server, larder)
            try await feed.refresh()
            try server.insert(21...80)
            try await feed.refresh()
            #expect(try feed.gaps() == [Gap(above: "61", below: "20")])
            try server.insert(81...140)
            try await feed.refresh()
            #expect(try feed.gaps() == gaps)
            larder.close()
        }
        let feed = feed(server, try Larder(.folder(folder), environment: world.environment))
        #expect(try ids(feed) == shown)
        #expect(try feed.gaps() == gaps)

        _ = try await feed.page(.older(than: "61"))
        #expect(try feed.gaps() == [Gap(above: "121", below: "80"), Gap(above: "41", below: "20")])
    }

    @Test func decimalIDsOfDifferentLengthsCompareAsNumbers() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: ["11", "10", "9", "8"])
        let feed = feed(server, .inMemory(environment: world.environment))
        try await feed.refresh()
        #expect(try ids(feed) == ["11", "10", "9", "8"])

        try server.insert(["101", "100", "99"])
        server.clearLog()
        try await feed.refresh()
        #expect(try ids(feed) == ["101", "100", "99", "11", "10", "9", "8"])
        #expect(try feed.gaps() == [])
        #expect(server.requests.map(\.since) == ["10"])

        _ = try await feed.page(.older(than: "8"))
        #expect(server.requests.last?.max == "8")
    }

    @Test func anAnswerRemovesOnlyWhatItsRangeOfNumbersCovers() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: ["101", "100", "99", "11", "10", "9", "8"])
        let feed = feed(server, .inMemory(environment: world.environment))
        try await feed.refresh()
        for id: ItemID in ["99", "11", "10"] { try server.delete(id) }
        _ = try await feed.page(.older(than: "100"), policy: .networkOnly)
        #expect(try ids(feed) == ["101", "100", "9", "8"])
    }

    @Test func everyDigitOfAnIDIsKeptAndANumberIsTheSameIDAsItsText() async throws {
        let first = """
            [{"id":18446744073709551615,"text":"u64 max"},{"id":9223372036854775807,"text":"i64 max"},
             {"id":738529527931269426,"text":"b"},{"id":738529527931269425,"id_str":"738529527931269425","text":"a"},
             {"id":9007199254740993,"text":"2^53+1"}]
            """
        let second = #"[{"id":"738529527931269425","text":"a, edited"}]"#
        let origin = ScriptedFetch<PageRequest, RawAnswer>(
            .answer(RawAnswer(body: Data(first.utf8))), .answer(RawAnswer(body: Data(second.utf8))))
        let larder = Larder.inMemory(environment: world.environment)
        let feed = larder.common.feedOfBytes("home", json: JSONItems(), paging: .byID) { try await origin($0) }

        try await feed.refresh()
        let expected: [ItemID] = [
            "18446744073709551615", "9223372036854775807", "738529527931269426", "738529527931269425",
            "9007199254740993",
        ]
        #expect(try feed.peek()?.value.ids == expected)
        _ = try await feed.page(.older(than: "9007199254740993"))
        #expect(origin.requests.last?.max == "9007199254740993")

        let rows = try #require(try feed.timeline()).value
        let stored = rows.compactMap { row -> (ItemID, Data)? in
            if case .item(let id, let bytes) = row { (id, bytes) } else { nil }
        }
        #expect(stored.map(\.0) == expected)
        let edited = stored.first { $0.0 == "738529527931269425" }
        #expect(
            edited.map { String(decoding: $0.1, as: UTF8.self) } == #"{"id":"738529527931269425","text":"a, edited"}"#)
    }

    @Test func deletedItemsGoWhenAPageCoversTheirPlaceAndNotBefore() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 61...100)
        let feed = feed(server, .inMemory(environment: world.environment))
        try await feed.refresh()
        try server.delete("95")
        try server.delete("90")
        try server.insert("101")

        // What was asked since the newest item says nothing about items below it.
        try await feed.refresh()
        #expect(try ids(feed) == ids(81...101))

        let reading = try await feed.page(policy: .networkFirst)
        #expect(reading.source == .network)
        let shown = try ids(feed)
        #expect(shown.contains("101") && !shown.contains("95") && !shown.contains("90"))
        #expect(try feed.gaps() == [])
    }

    @Test func anItemKnownToBeGoneGoesFromEveryFeedOfItsPartition() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...20)
        let larder = Larder.inMemory(environment: world.environment)
        let me = larder.partition("me")
        let home = me.feed("home", paging: .byID, fetch: server.fetchPage)
        let marked = me.feed("marked", paging: .afterItem(), fetch: server.fetchPage)
        let other = larder.partition("other").feed("home", paging: .byID, fetch: server.fetchPage)
        for feed in [home, marked, other] { try await feed.refresh() }

        try await me.remove(item: "10")

        #expect(try ids(home) == ids(11...20) + ids(1...9))
        #expect(try ids(marked) == ids(11...20) + ids(1...9))
        #expect(try ids(other) == ids(1...20))
        #expect(try home.gaps() == [] && marked.gaps() == [])
    }

    @Test func aReloadedFirstPageDropsNothingBelowItAndAnEmptyRefreshNothingAtAll() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...100)
        let feed = feed(server, .inMemory(environment: world.environment))
        try await feed.refresh()
        _ = try await feed.page(.older(than: "81"))
        _ = try await feed.page(.older(than: "61"))
        #expect(try ids(feed) == ids(41...100))

        _ = try await feed.page(policy: .networkOnly)
        #expect(try ids(feed) == ids(41...100))
        try await feed.refresh()
        #expect(try ids(feed) == ids(41...100))

        server.inject(.empty)
        try await feed.refresh()
        #expect(try ids(feed) == ids(41...100))
    }
}
