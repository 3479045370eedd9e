/// What an answer does to the edges of a feed: where the next request goes on, and which places are given up. Pure.
///
/// An answer that ends below the edge it was asked from has made a step. One that does not has been fruitless: its edge gives
/// way to what it brought to go on with, so that no request is repeated for ever, and after a number of those in a row reading
/// on is given up.
struct EdgeSettling: Sendable {
    let request: PageRequest
    /// The edge that was asked from, if it is still there.
    let asked: FeedEdge?
    let follows: PageFollowing
    /// What the server gave to go on with leads to another origin.
    var isForeign = false
    /// The number of items that came, those without a place included.
    let count: Int
    let stamp: Int64
    /// The place of the page's last item, if this answer is the latest word on it.
    let last: SortKey?
    /// An item without an id came behind the last one, or ones that were left out.
    var endsInBreak = false
    var validators = Validators()
    let fruitlessPages: Int
    /// An empty answer was not believed yet, or not placed: it may be asked for again.
    var isUndecided = false
    /// The page brought items that were not there. What is gone through once more is neither a success nor a failure: a server
    /// that leads round in a circle makes steps, too.
    var isNews = true
    /// What a page without news gives to go on with is what was given further up: the server leads round in a circle.
    var leadsUp = false
    /// The page was taken to be a neighbour of the one above without proof.
    var isSeam = false
    /// The page holds others than the item gone on from.
    var hasOthers = false
    /// The page shows nothing from above the edge where places shift: what was counted from there leads elsewhere.
    var isDetached = false
    /// The list ends here by the server's word, and not the feed: what a ranked list showed earlier stays below.
    var isEndOverOthers = false

    struct Result: Sendable, Hashable {
        var saved: [FeedEdge] = []
        var removed: EdgeMark?
    }

    var result: Result {
        guard let last else { return withoutPlace }
        var result = Result()
        let cut = Cut.below(last)
        let isStep = asked.map { cut < $0.cut } ?? true
        if var above = asked, isStep, above.fruitless > 0 && isNews || isSeam {
            if isNews { above.fruitless = 0 }
            above.isSeam = isSeam
            result.saved.append(above)
        }
        if let asked, isDetached || !isStep, asked.cut != cut {
            result.saved = []
            result.removed = asked.mark
        }
        if isEndOverOthers {
            result.saved.append(end(at: cut))
            return result
        }
        guard follows != .nothing, follows != .unchanged else {
            if let asked, asked.cut == cut { result.removed = asked.mark }
            return result
        }
        var edge = FeedEdge(cut: cut, stamp: stamp, continuation: next, size: request.limit)
        edge.isApart = endsInBreak
        edge.validators = validators
        edge.fruitless = isStep && isNews ? 0 : (asked?.fruitless ?? 0) + (isStep ? 0 : 1)
        edge.stall = stall(of: edge)
        result.saved.append(edge)
        return result
    }

    /// What an answer does that holds no item with a place.
    private var withoutPlace: Result {
        guard var edge = asked ?? topEdge else { return Result() }
        if isEndOverOthers { return Result(saved: [end(at: edge.cut)]) }
        switch follows {
        case .unchanged:
            return Result()
        case .nothing:
            return Result(removed: isUndecided ? nil : asked?.mark)
        case .unknown where isCounted, .more where isCounted && count > 0, .something where isCounted && count > 0:
            // Nothing is there, or nothing that belongs here: it is the end, or places have shifted. An edge further up leads on,
            // or the head.
            return Result(removed: isUndecided ? nil : asked?.mark)
        case .unknown, .more, .something:
            edge.continuation = next
            edge.isApart = edge.isApart || hasOthers
            edge.shift = 0
            edge.fruitless += 1
            edge.stall = stall(of: edge)
            return Result(saved: [edge])
        }
    }

    /// An edge with nothing to go on with, so that it is not gone round to from the head for ever.
    private func end(at cut: Cut) -> FeedEdge {
        var edge = FeedEdge(cut: cut, stamp: stamp, continuation: nil, size: request.limit)
        edge.stall = .noContinuation
        return edge
    }

    /// An empty first page may bring something to go on with.
    private var topEdge: FeedEdge? {
        guard request.isUpToTheTop, count == 0 else { return nil }
        if case .more = follows {} else if !isEndOverOthers { return nil }
        return FeedEdge(cut: .top, stamp: stamp, continuation: nil, size: request.limit)
    }

    /// Whether the place to go on at is counted by pages or items, and need not be given.
    private var isCounted: Bool { request.continuation?.following(count: 1) != nil }

    private var next: Continuation? {
        switch follows {
        case .more(let continuation): isForeign || continuation.isTooLong ? nil : continuation
        case .unknown: count > 0 ? request.continuation?.following(count: count) : nil
        case .something: request.continuation?.following(count: count > 0 ? count : request.limit)
        case .nothing, .unchanged: nil
        }
    }

    private func stall(of edge: FeedEdge) -> StallReason? {
        guard let next = edge.continuation else { return isForeign ? .foreignLink : .noContinuation }
        let leadsBack = leadsUp || edge.fruitless > 0 && next == request.continuation
        return leadsBack || edge.fruitless >= fruitlessPages ? .nothingNew : nil
    }
}
