import LarderTestKit
import Testing

@testable import LarderKit

@Suite struct IDPlacementTests {
    private func place(
        _ ids: [ItemID?], above: ItemID? = nil, below: ItemID? = nil, from end: PageRequest.End = .newest,
        limit: Int = 5, follows: PageFollowing = .unknown, largestPage: Int = 5, paging: Paging = .byID()
    ) -> PagePlacement {
        IDPlacement(order: .decimal, paging: paging).place(
            PageFacts(
                request: PageRequest(above: above, below: below, countedFrom: end, limit: limit), ids: ids,
                follows: follows, largestPage: largestPage))
    }

    /// The span between two ids, both included.
    private func closed(_ low: Int64, _ high: Int64) -> Span { Span(.below(.integer(low)), .above(.integer(high))) }

    private func above(_ key: Int64) -> Cut { .above(.integer(key)) }
    private func below(_ key: Int64) -> Cut { .below(.integer(key)) }

    // MARK: What is covered

    @Test func `a page of the newest covers down to its last item, and the head`() {
        let placement = place(["9", "8", "7"])
        #expect(placement.claims == [Span(above(9), .top), closed(7, 9)])
        #expect(placement.items.map(\.id) == ["9", "8", "7"] && placement.items.map(\.index) == [0, 1, 2])
        #expect(placement.emptied == nil && placement.oddities == PageOddities())
    }

    @Test func `a page below an id covers from there down to its last item`() {
        #expect(place(["8", "7"], below: "20").claims == [Span(below(7), below(20))])
    }

    @Test func `a page above an id that does not show it stays away from it`() {
        #expect(place(["9", "8"], above: "3").claims == [Span(above(9), .top), closed(8, 9)])
    }

    @Test func `a page counted upwards covers from the bound up to its first item`() {
        #expect(place(["5", "4"], above: "3", from: .oldest).claims == [Span(above(3), above(5))])
    }

    // MARK: That the other bound is reached

    @Test(arguments: ["3", "2"] as [ItemID])
    func `a shared item at or beyond the bound proves that a page reaches it`(shared: ItemID) {
        let placement = place(["9", "8", shared], above: "3")
        #expect(placement.claims.contains(Span(above(3), above(9))))
        #expect(placement.claims.contains(Span(of: SortKey(shared, order: .decimal))))
        #expect(placement.oddities.outsideInterval == (shared == "2" ? 1 : 0))
    }

    @Test func `counted upwards, an item at or beyond the upper bound proves it`() {
        let placement = place(["8", "5", "4"], above: "3", below: "7", from: .oldest)
        #expect(placement.claims == [closed(8, 8), Span(above(3), below(7))])
    }

    @Test func `a server that says that nothing follows proves it`() {
        #expect(place(["9"], above: "3", follows: .nothing).claims == [Span(above(9), .top), Span(above(3), above(9))])
        #expect(place(["9"], follows: .nothing).claims == [Span(above(9), .top), Span(.bottom, above(9))])
    }

    @Test func `a short page proves it only where that is declared, and only below the largest page seen`() {
        let declared = Paging.byID(shortPages: .proveTheEnd)
        #expect(place(["9"]).claims == [Span(above(9), .top), closed(9, 9)])
        #expect(place(["9"], paging: declared).claims == [Span(above(9), .top), Span(.bottom, above(9))])
        #expect(place(["9"], largestPage: 1, paging: declared).claims == [Span(above(9), .top), closed(9, 9)])
        #expect(place(["9"], limit: 1, paging: declared).claims == [Span(above(9), .top), closed(9, 9)])
    }

    // MARK: Nothing to show

    @Test func `an empty page says that its interval is empty`() {
        #expect(place([]).emptied == Span(.bottom, .top))
        #expect(place([], above: "3", below: "7").emptied == Span(above(3), below(7)))
        #expect(place([], above: "3", from: .oldest).emptied == Span(above(3), .top))
        #expect(place([], below: "7").claims == [])
    }

    @Test func `a page that holds only the bound it continues from is an empty one`() {
        let placement = place(["7"], below: "7")
        #expect(placement.claims == [closed(7, 7)])
        #expect(placement.emptied == Span(.bottom, below(7)))
        #expect(placement.oddities.outsideInterval == 0)
        #expect(place(["3"], above: "3", from: .oldest).emptied == Span(above(3), .top))
    }

    @Test func `a full page that holds only the bound proves nothing`() {
        #expect(place(["7"], below: "7", limit: 1).emptied == nil)
    }

    @Test func `a page that holds only the far bound shows that nothing lies before it`() {
        let placement = place(["3"], above: "3")
        #expect(placement.claims == [closed(3, 3), Span(above(3), .top)])
        #expect(placement.emptied == nil)
    }

    @Test func `a page that holds only items beyond the bound it continues from proves nothing`() {
        let placement = place(["12", "11"], below: "7")
        #expect(placement.claims == [closed(12, 12), closed(11, 11)])
        #expect(placement.emptied == nil && placement.oddities.outsideInterval == 2)
    }

    // MARK: Bad pages

    @Test func `a repeated item counts where it came first`() {
        let placement = place(["9", "9", "8", "9"])
        #expect(placement.claims == [Span(above(9), .top), closed(8, 9)])
        #expect(placement.oddities.duplicates == 2)
    }

    @Test(arguments: [["8", "9", "7"], ["9", "7", "8"], ["9", "8", "x"], ["9", "8", "007"]] as [[ItemID]])
    func `a page out of order proves no neighbours`(ids: [ItemID]) {
        let placement = place(ids)
        #expect(placement.claims == ids.map { Span(of: SortKey($0, order: .decimal)) })
        #expect(placement.items.count == 3 && placement.oddities.isOutOfOrder)
    }

    @Test func `an item below the bound that stands above others is no proof that the page reaches the bound`() {
        let placement = place(["2", "9", "8"], above: "3")
        #expect(placement.oddities.isOutOfOrder)
        #expect(placement.claims == [closed(2, 2), closed(9, 9), closed(8, 8)])
    }

    @Test func `an item without an id breaks the page there`() {
        #expect(place(["9", nil, "7", "6"]).claims == [Span(above(9), .top), closed(9, 9), closed(6, 7)])
        #expect(place(["9", nil, "9", "7"]).claims == [Span(above(9), .top), closed(9, 9), closed(7, 7)])
        #expect(place([nil, "7"]).claims == [closed(7, 7)])
        #expect(place(["7", nil], follows: .nothing).claims == [Span(above(7), .top), closed(7, 7)])
        #expect(place([nil], below: "7", follows: .nothing).emptied == nil)
        #expect(place(["9", nil]).oddities.withoutID == 1)
    }

    @Test func `an item without an id between the page and its bound keeps it from the bound`() {
        #expect(place(["9", nil, "2"], above: "3").claims == [closed(2, 2), Span(above(9), .top), closed(9, 9)])
        #expect(place(["7", nil, "6"], below: "7").claims == [closed(7, 7), closed(6, 6)])
        #expect(place([nil, "2"], above: "3").claims == [closed(2, 2)])
    }

    // MARK: Against every small server

    /// Five ids, every list of them, every interval and limit, bounds inclusive or ignored: what is claimed is true.
    @Test(arguments: [false, true], [false, true])
    func `whatever a true page claims was so on the server`(isInclusive: Bool, isSinceIgnored: Bool) throws {
        for bits in 0..<32 {
            let ids = (1...5).filter { bits & (1 << ($0 - 1)) != 0 }.map { ItemID($0) }.reversed()
            let server = try SimulatedFeedServer(
                .decimal, holding: Array(ids),
                rules: .init { rules in
                    if isInclusive { rules.inclusive = [.since, .min, .max] }
                    if isSinceIgnored { rules.parameters.remove(.since) }
                })
            for request in Self.requests {
                let answer = server.answer(request)
                let placement = place(
                    answer.ids, above: request.above, below: request.below, from: request.countedFrom,
                    limit: request.limit, follows: .unknown)
                for span in placement.claims + [placement.emptied].compactMap({ $0 }) {
                    let there = ids.filter { span.contains(SortKey($0, order: .decimal)) }
                    let shown = answer.ids.filter { span.contains(SortKey($0, order: .decimal)) }
                    guard there == shown else {
                        Issue.record("\(ids.map(\.rawValue)) \(request) \(answer.ids.map(\.rawValue)) claims \(span)")
                        return
                    }
                }
            }
        }
    }

    private static let requests: [PageRequest] = {
        let bounds: [ItemID?] = [nil] + (0...6).map { ItemID($0) }
        return bounds.flatMap { above in
            bounds.flatMap { below in
                (1...3).flatMap { limit in
                    [PageRequest(above: above, below: below, limit: limit)]
                        + (above == nil
                            ? [] : [PageRequest(above: above, below: below, countedFrom: .oldest, limit: limit)])
                }
            }
        }
    }()
}
