import Testing

@testable import LarderKit

/// Pages against a stored list whose keys are 100, 90, 80, …, newest first.
@Suite struct PositionPlacementTests {
    private let newestOnTop = Paging.afterItem()
    private let ranked = Paging.afterItem(order: .ranked)

    /// What is stored: `a` at 100, `b` at 90 and so on, as many as `stored` has letters.
    private func facts(_ stored: String, about ids: [ItemID?], isLatest: Bool = true) -> PositionFacts {
        var facts = PositionFacts(isEmpty: stored.isEmpty, isLatest: isLatest)
        let keys = stored.enumerated().map { (ItemID(String($1)), Int64(100 - 10 * $0)) }
        for (index, (id, key)) in keys.enumerated() where ids.contains(id) {
            facts.known[id] = key
            facts.above[key] = index > 0 ? keys[index - 1].1 : nil
            facts.below[key] = index + 1 < keys.count ? keys[index + 1].1 : nil
        }
        facts.highest = keys.first?.1
        facts.lowest = keys.last?.1
        facts.highestItem = facts.highest
        facts.lowestItem = facts.lowest
        return facts
    }

    /// Where a page of one-letter items goes; `-` is an item without an id.
    private func place(
        _ page: String, above: ItemID? = nil, below: ItemID? = nil, from end: PageRequest.End = .newest, limit: Int = 9,
        follows: PageFollowing = .unknown, paging: Paging? = nil, on stored: String, isLatest: Bool = true
    ) throws -> PagePlacement {
        let paging = paging ?? newestOnTop
        guard case .byPosition(let order) = paging.order else { return PagePlacement() }
        let ids = page.map { $0 == "-" ? nil : ItemID(String($0)) }
        let facts = facts(stored, about: ids + [above, below], isLatest: isLatest)
        return try PositionPlacement(order: order, paging: paging, spacing: KeySpacing(item: 2, run: 1000)).place(
            PageFacts(
                request: PageRequest(above: above, below: below, countedFrom: end, limit: limit), ids: ids,
                follows: follows, largestPage: 9),
            among: facts)
    }

    private func keys(_ placement: PagePlacement) -> [Int64] {
        placement.items.compactMap { if case .integer(let key) = $0.key { key } else { nil } }
    }

    private func span(_ low: Int64, _ high: Int64) -> Span { Span(.below(.integer(low)), .above(.integer(high))) }
    private func above(_ key: Int64) -> Cut { .above(.integer(key)) }
    private func below(_ key: Int64) -> Cut { .below(.integer(key)) }

    // MARK: New items on top

    @Test func `the first page is a run of its own, and the head`() throws {
        let placement = try place("xyz", on: "")
        #expect(keys(placement) == [4, 2, 0])
        #expect(placement.claims == [Span(above(4), .top), span(0, 4)])
    }

    @Test func `a page of the newest that shares items stands right above them`() throws {
        let placement = try place("xyab", on: "abcd")
        #expect(keys(placement) == [104, 102, 100, 90])
        #expect(placement.claims == [Span(above(104), .top), span(90, 104)])
        #expect(placement.departures == [] && placement.releases == [])
    }

    @Test func `a page of the newest that shares nothing stands on top, behind a gap`() throws {
        let placement = try place("xy", on: "ab")
        #expect(keys(placement) == [1102, 1100])
        #expect(placement.claims == [Span(above(1102), .top), span(1100, 1102)])
        #expect(placement.releases == [Span(above(100), below(1100))])
    }

    @Test func `what is missing between shared items lies in what is claimed`() throws {
        let placement = try place("acd", on: "abcd")
        #expect(placement.claims == [Span(above(100), .top), span(70, 100)])
    }

    @Test func `what is missing above two shared items lies in what is claimed`() throws {
        #expect(try place("bc", on: "abc").claims == [Span(above(90), .top), span(80, 90)])
    }

    @Test func `a single shared item below others may have come back on top, and takes its place there`() throws {
        let placement = try place("c", on: "abc")
        #expect(keys(placement) == [1100] && placement.departures == [.integer(80)])
        #expect(placement.claims == [Span(above(1100), .top), span(1100, 1100)])
    }

    @Test func `an item above one that it was stored below has come back on top`() throws {
        let placement = try place("dxab", on: "abcd")
        #expect(keys(placement) == [104, 102, 100, 90])
        #expect(placement.departures == [.integer(70)] && placement.oddities.isOutOfOrder)
    }

    @Test func `several items that have come back do not outvote those that stayed`() throws {
        let placement = try place("efgbc", on: "abcdefg")
        #expect(keys(placement) == [93, 92, 91, 90, 80])
        #expect(placement.departures == [.integer(60), .integer(50), .integer(40)])
    }

    // MARK: Going on

    @Test func `a page below an item stands right below it and touches it`() throws {
        let placement = try place("xy", below: "b", on: "ab")
        #expect(keys(placement) == [88, 86])
        #expect(placement.claims == [Span(below(86), below(90))])
        #expect(placement.releases == [Span(.bottom, below(86))])
    }

    @Test func `a page in a gap joins what it reaches`() throws {
        let placement = try place("xc", below: "a", on: "abc")
        #expect(placement.claims == [Span(below(80), below(100))])
        #expect(placement.releases == [])
    }

    @Test func `a page into a gap that does not reach the other side leaves it open there`() throws {
        let placement = try place("x", below: "a", on: "ab")
        #expect(keys(placement) == [98])
        #expect(placement.claims == [Span(below(98), below(100))] && placement.releases == [Span(above(90), below(98))])
    }

    @Test func `an inclusive bound comes back and is not taken for an item of the page`() throws {
        let placement = try place("bxy", below: "b", on: "ab")
        #expect(placement.items.map(\.id) == ["x", "y"] && placement.claims == [Span(below(86), below(90))])
    }

    @Test func `a bound that the page shows things beyond of has moved`() throws {
        let placement = try place("ax", below: "b", on: "ab")
        #expect(placement == PagePlacement())
    }

    @Test func `a page whose place cannot be told is not taken`() throws {
        #expect(try place("xy", below: "q", on: "ab").items == [])
        #expect(try place("xy", above: "q", from: .oldest, on: "ab").items == [])
        #expect(try place("xy", on: "ab", isLatest: false).items == [])
        #expect(try place("xy", below: "q", on: "").items.count == 2)
    }

    @Test func `a page that only reaches a known bound has no place when it began at an unknown one`() throws {
        #expect(try place("x", above: "a", below: "q", follows: .nothing, on: "ab").items == [])
        #expect(try place("x", above: "q", below: "a", from: .oldest, follows: .nothing, on: "ab").items == [])
        #expect(try place("x", above: "b", below: "a", follows: .nothing, on: "ab").items.count == 1)
    }

    @Test func `a page counted upwards stands right above its bound`() throws {
        let placement = try place("xy", above: "b", from: .oldest, on: "ab")
        #expect(keys(placement) == [94, 92])
        #expect(placement.claims == [Span(above(90), above(94))] && placement.releases == [Span(above(94), below(100))])
    }

    @Test func `a page above an item reaches it only with evidence`() throws {
        #expect(try place("xy", above: "a", on: "ab").claims == [Span(above(1102), .top), span(1100, 1102)])
        let said = try place("xy", above: "a", follows: .nothing, on: "ab")
        #expect(said.claims == [Span(above(104), .top), Span(above(100), above(104))])
        #expect(try place("xya", above: "a", on: "ab").claims == [Span(above(104), .top), span(100, 104)])
    }

    @Test func `what is said to be the end is the floor`() throws {
        #expect(try place("x", below: "b", follows: .nothing, on: "abc").claims == [Span(.bottom, below(90))])
        let short = Paging.afterItem(shortPages: .proveTheEnd)
        #expect(try place("x", below: "b", paging: short, on: "abc").claims == [Span(.bottom, below(90))])
        #expect(try place("xy", below: "b", limit: 2, paging: short, on: "ab").claims == [Span(below(86), below(90))])
    }

    // MARK: Nothing to show

    @Test func `an empty page beside a bound needs to be trusted, for the bound may be gone`() throws {
        let trusting = Paging.afterItem(emptyPages: .areTrusted)
        #expect(try place("", below: "b", on: "abc").emptied == nil)
        #expect(try place("", below: "q", paging: trusting, on: "abc").emptied == nil)
        #expect(try place("", below: "b", paging: trusting, on: "abc").emptied == Span(.bottom, below(90)))
        #expect(try place("", above: "b", follows: .nothing, on: "abc").emptied == Span(above(90), .top))
        #expect(try place("b", below: "b", on: "abc").emptied == Span(.bottom, below(90)))
        #expect(try place("", on: "abc").emptied == Span(.bottom, .top))
    }

    @Test func `an empty page proves nothing when it could show no more, comes late, or stands between two bounds`()
        throws
    {
        #expect(try place("b", below: "b", limit: 1, on: "abc").emptied == nil)
        #expect(try place("", on: "abc", isLatest: false).emptied == nil)
        #expect(try place("", above: "c", below: "a", follows: .nothing, on: "abc").emptied == nil)
        #expect(try place("-", on: "abc").emptied == nil)
        #expect(try place("-b", above: "b", on: "abc").emptied == nil)
    }

    // MARK: Items without an id

    @Test func `an item without an id breaks the page there`() throws {
        let placement = try place("xa-c", on: "abcd")
        #expect(placement.items.map(\.id) == ["x", "a", "c"])
        #expect(placement.claims == [Span(above(102), .top), span(100, 102), span(80, 80)])
        #expect(placement.releases == [])
    }

    @Test func `new items beyond a break are taken only where their place is known`() throws {
        #expect(try place("a-x", on: "ab").items.map(\.id) == ["a"])
        let placement = try place("x-ybc", on: "abc")
        #expect(keys(placement) == [1100, 92, 90, 80])
        #expect(placement.claims == [Span(above(1100), .top), span(1100, 1100), span(80, 92)])
        #expect(placement.releases == [Span(above(100), below(1100)), Span(above(92), below(100))])
    }

    @Test func `two chains that go into one gap keep their order`() throws {
        let placement = try place("xy-zb", below: "a", on: "ab")
        #expect(keys(placement) == [98, 96, 92, 90])
        #expect(keys(try place("uvwxyz-stb", below: "a", on: "ab")) == [99, 98, 97, 96, 95, 94, 92, 91, 90])
    }

    @Test func `a page that begins or ends with an item without an id reaches nothing beyond`() throws {
        #expect(try place("-ab", on: "abc").claims == [span(90, 100)])
        #expect(try place("ab-", follows: .nothing, on: "abc").claims == [Span(above(100), .top), span(90, 100)])
        #expect(try place("-x", below: "b", on: "ab").items == [])
    }

    // MARK: Ranked

    @Test func `in a ranked list an answer starts a new run, and items leave their old places`() throws {
        let placement = try place("cxa", paging: ranked, on: "abc")
        #expect(keys(placement) == [1104, 1102, 1100])
        #expect(placement.departures == [.integer(80), .integer(100)] && !placement.oddities.isOutOfOrder)
        #expect(placement.claims == [Span(above(1104), .top), span(1100, 1104)])
        #expect(placement.releases == [Span(above(100), below(1100))])
    }

    @Test func `in a ranked list nothing that is stored lies in what is claimed`() throws {
        #expect(
            try place("xc", below: "a", follows: .nothing, paging: ranked, on: "abcd").claims == [
                Span(below(96), below(100))
            ])
        #expect(
            try place("x", above: "b", follows: .nothing, paging: ranked, on: "abc").claims == [
                Span(above(90), above(92))
            ])
        #expect(
            try place("x", above: "c", below: "a", follows: .nothing, paging: ranked, on: "abc").claims == [
                Span(below(98), below(100))
            ])
        #expect(try place("", paging: ranked, on: "abc").emptied == nil)
        #expect(try place("", below: "b", follows: .nothing, paging: ranked, on: "abc").emptied == nil)
        #expect(
            try place("", below: "c", follows: .nothing, paging: ranked, on: "abc").emptied == Span(.bottom, below(80)))
    }

    @Test func `in a ranked list a page between two bounds hangs on the one it began at`() throws {
        let down = try place("x", above: "b", below: "a", follows: .nothing, paging: ranked, on: "ab")
        #expect(down.claims == [Span(below(98), below(100))] && down.releases == [Span(above(90), below(98))])
        let up = try place("x", above: "b", below: "a", from: .oldest, follows: .nothing, paging: ranked, on: "ab")
        #expect(up.claims == [Span(above(90), above(92))] && up.releases == [Span(above(92), below(100))])
    }

    @Test func `in a ranked list the end is the floor where nothing older is stored below`() throws {
        #expect(
            try place("xy", follows: .nothing, paging: ranked, on: "").claims == [
                Span(above(2), .top), Span(.bottom, above(2)),
            ])
        #expect(
            try place("x", below: "b", follows: .nothing, paging: ranked, on: "ab").claims == [Span(.bottom, below(90))]
        )
    }

    @Test func `in a ranked list the last page proves the end again when it comes again`() throws {
        #expect(
            try place("ab", follows: .nothing, paging: ranked, on: "ab").claims == [
                Span(above(1102), .top), Span(.bottom, above(1102)),
            ])
        #expect(
            try place("bc", below: "a", follows: .nothing, paging: ranked, on: "abc").claims == [
                Span(.bottom, below(100))
            ])
        #expect(
            try place("b", below: "a", follows: .nothing, paging: ranked, on: "abc").claims.allSatisfy {
                $0.low != .bottom
            })
        #expect(
            try place("c", below: "a", follows: .nothing, paging: ranked, on: "abc").claims.allSatisfy {
                $0.low != .bottom
            })
    }

    // MARK: Later answers, and room

    @Test func `a page that a later answer has outdated is not taken`() throws {
        var stored = facts("ab", about: ["a", "b"], isLatest: false)
        stored.isOutdated = true
        let page = PageFacts(request: PageRequest(limit: 5), ids: ["x", "a", "b"], follows: .unknown, largestPage: 5)
        #expect(try PositionPlacement(order: .newestOnTop, paging: newestOnTop).place(page, among: stored).items == [])
    }

    @Test func `where there is no room between two keys, none is taken from others`() throws {
        var stored = facts("ab", about: ["a"])
        stored.below[100] = 97
        let placement = PositionPlacement(order: .newestOnTop, paging: newestOnTop)
        let page = { (ids: [ItemID?]) in
            PageFacts(request: PageRequest(below: "a", limit: 5), ids: ids, follows: .unknown, largestPage: 5)
        }
        #expect(keys(try placement.place(page(["x", "y"]), among: stored)) == [99, 98])
        #expect(throws: PositionPlacement.NoRoom.self) { try placement.place(page(["x", "y", "z"]), among: stored) }
    }

    @Test func `keys at the end of all numbers are a lack of room`() throws {
        let placement = PositionPlacement(order: .newestOnTop, paging: newestOnTop)
        let page = PageFacts(request: PageRequest(limit: 5), ids: ["x"], follows: .unknown, largestPage: 5)
        let stored = PositionFacts(isEmpty: false, highest: .max - 5, lowest: 0)
        #expect(throws: PositionPlacement.NoRoom.self) { try placement.place(page, among: stored) }
    }
}
