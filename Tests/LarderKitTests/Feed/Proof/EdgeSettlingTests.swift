import Testing

@testable import LarderKit

/// What an answer does to the edges of a feed, one rule at a time.
@Suite struct EdgeSettlingTests {
    private static let cursor = Continuation.cursor("next")

    private func edge(_ key: Int64, _ continuation: Continuation? = .cursor("here"), fruitless: Int = 0) -> FeedEdge {
        var edge = FeedEdge(cut: .below(.integer(key)), stamp: 1, continuation: continuation, size: 3)
        edge.fruitless = fruitless
        return edge
    }

    private func settling(
        _ asked: FeedEdge?, follows: PageFollowing, last: SortKey?, count: Int = 3,
        continuation: Continuation? = .cursor("here")
    ) -> EdgeSettling {
        var request = PageRequest(below: asked == nil ? nil : "a", limit: 3, continuation: continuation)
        request.edge = asked?.mark
        return EdgeSettling(
            request: request, asked: asked, follows: follows, count: count, stamp: 2, last: last, fruitlessPages: 3)
    }

    @Test func `a page that ends further down makes a step, and its own edge`() {
        let result = settling(edge(30, fruitless: 2), follows: .more(Self.cursor), last: .integer(20)).result
        #expect(result.removed == nil)
        #expect(result.saved.map(\.cut) == [.below(.integer(30)), .below(.integer(20))])
        #expect(result.saved.map(\.fruitless) == [0, 0])
        #expect(result.saved.last?.continuation == Self.cursor && result.saved.last?.stall == nil)
    }

    @Test func `a page that ends higher up counts, and its edge takes the place of the other`() {
        let asked = edge(10, fruitless: 1)
        let result = settling(asked, follows: .more(Self.cursor), last: .integer(20)).result
        #expect(result.removed == asked.mark)
        #expect(result.saved.map(\.fruitless) == [2] && result.saved.first?.stall == nil)
    }

    @Test func `after a number of such pages reading on is given up`() {
        let result = settling(edge(10, fruitless: 2), follows: .more(Self.cursor), last: .integer(20)).result
        #expect(result.saved.first?.stall == .nothingNew)
    }

    @Test func `what leads back to itself is given up at once`() {
        let result = settling(edge(10), follows: .more(.cursor("here")), last: .integer(10)).result
        #expect(result.saved.first?.stall == .nothingNew)
    }

    @Test(arguments: [(true, StallReason.foreignLink), (false, .noContinuation)])
    func `nothing to go on with says why`(isForeign: Bool, reason: StallReason) {
        var settling = settling(edge(30), follows: isForeign ? .more(.link("x")) : .unknown, last: .integer(20))
        settling.isForeign = isForeign
        #expect(settling.result.saved.last?.stall == reason)
    }

    @Test func `the last page leaves no edge`() {
        let asked = edge(30)
        #expect(settling(asked, follows: .nothing, last: .integer(20)).result == EdgeSettling.Result())
        #expect(settling(asked, follows: .nothing, last: .integer(30)).result.removed == asked.mark)
        #expect(settling(asked, follows: .nothing, last: nil, count: 0).result.removed == asked.mark)
    }

    @Test func `an empty last page that is not believed may be asked for again`() {
        var settling = settling(edge(30), follows: .nothing, last: nil, count: 0)
        settling.isUndecided = true
        #expect(settling.result == EdgeSettling.Result())
    }

    @Test func `a page that is as it was changes nothing`() {
        #expect(settling(edge(30), follows: .unchanged, last: nil, count: 0).result == EdgeSettling.Result())
    }

    @Test func `an empty page that brings a cursor goes on from the same place`() {
        let result = settling(edge(30), follows: .more(Self.cursor), last: nil, count: 0).result
        #expect(result.saved.map(\.cut) == [.below(.integer(30))])
        #expect(result.saved.first?.fruitless == 1 && result.saved.first?.isApart == false)
    }

    @Test func `what could not be placed lies between, and what follows it is apart`() {
        var settling = settling(edge(30), follows: .more(Self.cursor), last: nil)
        settling.hasOthers = true
        #expect(settling.result.saved.first?.isApart == true)
    }

    @Test func `an empty first page may bring something to go on with, or not`() {
        let more = settling(nil, follows: .more(Self.cursor), last: nil, count: 0, continuation: nil).result
        #expect(more.saved.map(\.cut) == [.top])
        #expect(settling(nil, follows: .unknown, last: nil, count: 0, continuation: nil).result.saved == [])
    }

    @Test func `places that are counted go on by themselves, and go when they have shifted`() {
        let asked = edge(30, .offset(5))
        let step = settling(asked, follows: .unknown, last: .integer(20), continuation: .offset(4)).result
        #expect(step.saved.last?.continuation == .offset(7))
        let unplaced = settling(asked, follows: .unknown, last: nil, continuation: .offset(4)).result
        #expect(unplaced == EdgeSettling.Result(removed: asked.mark))
        var detached = settling(asked, follows: .unknown, last: .integer(20), continuation: .offset(4))
        detached.isDetached = true
        #expect(detached.result.removed == asked.mark)
        #expect(detached.result.saved.map(\.cut) == [.below(.integer(20))])
    }

    @Test func `the end of a ranked list over what it showed earlier is kept, so that it is not gone to for ever`() {
        for last in [SortKey.integer(20), nil] {
            var settling = settling(edge(30), follows: .nothing, last: last)
            settling.isEndOverOthers = true
            #expect(settling.result.saved.last?.stall == .noContinuation)
        }
    }

    @Test func `a neighbour taken on trust marks the edge above it`() {
        var settling = settling(edge(30, .page(2)), follows: .unknown, last: .integer(20), continuation: .page(2))
        settling.isSeam = true
        #expect(settling.result.saved.map(\.isSeam) == [true, false])
    }

    // MARK: What an edge asks for

    @Test func `a cursor is asked for as many items as are wanted`() {
        let edge = edge(30)
        let request = edge.request(from: "a", limit: 7, firstPage: 1)
        #expect(request?.cursor == "here" && request?.limit == 7 && request?.below == "a")
        #expect(request?.edge == edge.mark && request?.max == nil)
    }

    @Test func `a page keeps its size, and moves by whole pages`() {
        var edge = edge(30, .page(4))
        for (shift, number) in [(0, 4), (2, 4), (3, 5), (7, 6), (-1, 3), (-100, 1)] {
            edge.shift = shift
            let request = edge.request(from: "a", limit: 7, firstPage: 1)
            #expect(request?.pageNumber == number && request?.limit == 3, "shifted by \(shift)")
        }
    }

    @Test func `an offset is asked for from one item earlier`() {
        var edge = edge(30, .offset(10))
        edge.shift = 2
        let request = edge.request(from: "a", limit: 7, firstPage: 0)
        #expect(request?.offset == 11 && request?.limit == 8)
        let first = edge.request(from: nil, limit: 7, firstPage: 0)
        #expect(first?.offset == 12 && first?.limit == 7)
        edge.shift = -50
        #expect(edge.request(from: "a", limit: 7, firstPage: 0)?.continuation == .offset(0))
    }

    @Test func `nothing to go on with asks for nothing`() {
        #expect(edge(30, nil).request(from: "a", limit: 7, firstPage: 1) == nil)
    }

    @Test func `counting does not overflow`() {
        #expect(Continuation.page(.max).following(count: 1) == nil)
        #expect(Continuation.offset(.max - 2).following(count: 3) == nil)
        #expect(Continuation.offset(5).following(count: 3) == .offset(8))
        #expect(Continuation.cursor("x").following(count: 3) == nil)
    }
}
