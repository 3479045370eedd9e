import Foundation
import LarderKit
import LarderTestKit
import Testing

/// Raw answers as feeds: every byte kept, one bad row for one row, and bad answers that change nothing.
@Suite struct FeedRawTests {
    struct Post: Decodable, Sendable {
        var id: String
        var text: String
    }

    let world = TestWorld()

    private func json(_ text: String) -> RawAnswer {
        RawAnswer(headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    }

    private func larder() throws -> Larder { .inMemory(environment: world.environment) }

    @Test func itemsOfAnEnvelopeAreKeptToTheByte() async throws {
        let origin = ScriptedFetch<PageRequest, RawAnswer>(
            .answer(
                json(
                    #"{"meta":{"n":2},"data":{"list":[ {"k":{"no":7},  "v":1e400} , {"k":{"no":"6"},"x":"\ud83d"} ]}}"#)
            ))
        let feed = try larder().common.feedOfBytes(
            "list", json: JSONItems(at: "$.data.list", id: "k.no"), paging: .byID
        ) { try await origin($0) }

        let page = try await feed.page().value

        #expect(page.ids == ["7", "6"])
        #expect(
            page.items.map { String(decoding: $0, as: UTF8.self) } == [
                #"{"k":{"no":7},  "v":1e400}"#, #"{"k":{"no":"6"},"x":"\ud83d"}"#,
            ])
    }

    @Test func oneItemThatDoesNotDecodeCostsOneItem() async throws {
        let origin = ScriptedFetch<PageRequest, RawAnswer>(
            .answer(json(#"[{"id":"3","text":"c"},{"id":"2"},{"id":"1","text":"a"}]"#)))
        let feed: Feed<Post> = try larder().common.feed("list", json: JSONItems(), paging: .byID) {
            try await origin($0)
        }

        let reading = try await feed.page(limit: 3)

        #expect(reading.value.ids == ["3", "1"])
        #expect(reading.value.isComplete, "the page counts whole for paging")
        #expect(reading.value.oldest == "1")
        let bad = reading.warnings.compactMap {
            if case .undecodableItems(let items) = $0 { items.map(\.id) } else { nil }
        }
        #expect(bad == [["2"]])
        let rows = try #require(try feed.timeline()).value
        #expect(rows.count == 3)
        guard case .undecodable("2") = rows[1] else {
            Issue.record("the row of the bad item is missing")
            return
        }
    }

    @Test(arguments: [
        RawAnswer(headers: ["Content-Type": "text/html"], body: Data("<html>sign in</html>".utf8)),
        RawAnswer(body: Data("<!doctype html>".utf8)),
        RawAnswer(status: 202, body: Data("[]".utf8)),
        RawAnswer(status: 502, headers: ["Cache-Control": "max-age=600"], body: Data("bad gateway".utf8)),
        RawAnswer(body: Data(#"[{"id":"9"},{"id":"#.utf8)),
        RawAnswer(headers: ["Content-Length": "100"], body: Data(#"[{"id":"9"}]"#.utf8)),
        RawAnswer(body: Data(#"{"error":"no list here"}"#.utf8)),
        RawAnswer(body: Data(#"[{"ID":"9"}]"#.utf8)),
        RawAnswer(body: Data()),
        RawAnswer(status: 304, body: Data()),
    ])
    func anAnswerThatIsNoPageChangesNothing(_ bad: RawAnswer) async throws {
        let origin = ScriptedFetch<PageRequest, RawAnswer>(.answer(json(#"[{"id":"2"},{"id":"1"}]"#)), .answer(bad))
        let feed = try larder().common.feedOfBytes("list", json: JSONItems(), paging: .byID) { try await origin($0) }
        let good = try await feed.page(limit: 2)

        let reading = try await feed.page(limit: 2, policy: .networkFirst)

        #expect(reading.value.items == good.value.items)
        #expect(reading.source == .cache)
        #expect(reading.failure != nil)
    }

    @Test func whatAnAnswerSaysOfItsOwnFreshnessCountsWhereTheAppSaysNothing() async throws {
        let headers: HeaderFields = ["Cache-Control": "max-age=60", "Age": "20"]
        let body = Data(#"[{"id":"2"},{"id":"1"}]"#.utf8)
        let origin = ScriptedFetch<PageRequest, RawAnswer>(
            .answer(RawAnswer(headers: headers, body: body)), .answer(RawAnswer(headers: headers, body: body)))
        let feed = try larder().common.feedOfBytes("list", json: JSONItems(), paging: .byID) { try await origin($0) }
        _ = try await feed.page(limit: 2)

        await world.advance(by: .seconds(39))
        let fresh = try await feed.page(limit: 2)
        #expect(fresh.source == .cache && fresh.age == .seconds(59))

        await world.advance(by: .seconds(1))
        #expect(try await feed.page(limit: 2).source == .network)
    }

    @Test func oddPagesAreKeptAndSaidToBeOdd() async throws {
        let origin = ScriptedFetch<PageRequest, RawAnswer>(
            .answer(json(#"[{"id":9},{"id":8},{"id":9},{"x":1},{"id":null},{"id":7}]"#)),
            .answer(json(#"[{"id":3},{"id":5},{"id":4},{"id":20}]"#)))
        let feed = try larder().common.feedOfBytes("list", json: JSONItems(), paging: .byID) { try await origin($0) }

        let first = try await feed.page(limit: 6)
        #expect(first.value.ids == ["9", "8"], "nothing is read across an item without id")
        let said = first.warnings.map { "\($0)" }.sorted()
        #expect(said == ["items that came twice: 1", "items without an id: 2"])
        #expect(try feed.gaps() == [Gap(above: "8", below: "7")])

        let second = try await feed.page(.older(than: "7"), limit: 3)
        #expect(
            second.warnings.map { "\($0)" }.sorted() == [
                "items outside the interval asked for: 1", "the page was not in the feed's order",
            ])
        let kept = try #require(try feed.timeline()).value
        let ids = kept.compactMap { row -> ItemID? in if case .item(let id, _) = row { id } else { nil } }
        #expect(ids == ["20", "9", "8", "7", "5", "4", "3"], "none is lost, and each stands in its place")
    }

    @Test func aPageLargerThanAskedForIsKeptWhole() async throws {
        let items = (1...500).reversed().map { #"{"id":\#($0)}"# }.joined(separator: ",")
        let origin = ScriptedFetch<PageRequest, RawAnswer>(.answer(json("[\(items)]")))
        let feed = try larder().common.feedOfBytes(
            "list", json: JSONItems(), paging: .byID, maxAge: .seconds(60)
        ) { try await origin($0) }

        #expect(try await feed.page().value.items.count == 20)
        let rest = try await feed.page(.older(than: "481"), limit: 480)
        #expect(rest.source == .cache && rest.value.items.count == 480)
    }

    @Test func anotherCodecUnderTheSameNameIsUndecodableAndStays() async throws {
        let larder = try larder()
        let raw = larder.common.feedOfBytes("list", json: JSONItems(), paging: .byID) { _ in
            RawAnswer(body: Data(#"[{"id":"1","text":"a"}]"#.utf8))
        }
        _ = try await raw.page(limit: 1)
        let typed: Feed<SimulatedFeedServer.Item> = larder.common.feed("list", paging: .byID) { _ in Page([]) }

        let reading = try #require(try typed.peek(limit: 1))
        #expect(reading.value.items.isEmpty)
        #expect(reading.warnings.count == 1)
        #expect(try raw.peek(limit: 1)?.value.items.count == 1)
    }
}
