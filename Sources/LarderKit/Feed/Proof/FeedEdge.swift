/// Where in a feed a continuation was stored, and by which answer.
struct EdgeMark: Sendable, Hashable {
    let cut: Cut
    /// The order of the answer's stamp.
    let stamp: Int64
}

/// The place at which an answer ended, with what the server gave to go on from there.
///
/// Edges belong to cuts, not to items or runs: they stay where they are while runs join above and below them, and go when
/// a later answer speaks of what lies on both sides.
struct FeedEdge: Sendable, Hashable {
    var cut: Cut
    /// The order of the stamp of the answer that ended here.
    var stamp: Int64
    /// `nil` when the answer gave nothing to go on with.
    var continuation: Continuation?
    /// The limit that was asked with: a page's number means something to pages of one size.
    var size: Int
    /// How many items have come on top since, as far as is known: places counted from there have shifted by so many.
    var shift = 0
    /// How many answers in a row brought nothing new.
    var fruitless = 0
    var stall: StallReason?
    /// What came before the edge ended in an item without an id.
    var isApart = false
    /// What was taken to be the neighbour below was not proven to be.
    var isSeam = false
    /// Those of the page that ended here.
    var validators = Validators()

    var mark: EdgeMark { EdgeMark(cut: cut, stamp: stamp) }

    init(cut: Cut, stamp: Int64, continuation: Continuation?, size: Int) {
        self.cut = cut
        self.stamp = stamp
        self.continuation = continuation
        self.size = size
    }
}

extension FeedEdge {
    /// What the numbers of an edge may be: they can be added up without a thought. A row that says otherwise is damaged.
    static let sizes = 1...1 << 24
    static let shifts = -(1 << 30)...1 << 30
    static let fruitlessCounts = 0...1 << 20

    /// What to ask for, to have at most `limit` items beyond the edge, which lies right below the item `anchor`.
    ///
    /// By offset it is asked from one item earlier, which shows whether the place is still the same. By page number the
    /// size of pages cannot change.
    ///
    /// - Returns: `nil` when there is nothing to go on with, or no such place.
    func request(from anchor: ItemID?, limit: Int, firstPage: Int) -> PageRequest? {
        let next: Continuation
        let size: Int
        switch continuation {
        case nil:
            return nil
        case .cursor, .link:
            guard let continuation else { return nil }
            (next, size) = (continuation, limit)
        case .page(let number):
            let pages = Int((Double(shift) / Double(max(1, self.size))).rounded(.down))
            let (shifted, isOverflow) = number.addingReportingOverflow(pages)
            guard !isOverflow else { return nil }
            next = .page(max(firstPage, shifted))
            size = self.size
        case .offset(let offset):
            let overlap = anchor == nil ? 0 : 1
            let (shifted, isOverflow) = offset.addingReportingOverflow(shift - overlap)
            guard !isOverflow else { return nil }
            next = .offset(max(0, shifted))
            size = limit + overlap
        }
        var request = PageRequest(below: anchor, limit: size, continuation: next)
        request.edge = mark
        return request
    }
}

extension Continuation {
    /// What follows a page of `count` items, where the server counts pages or items and need not say.
    func following(count: Int) -> Continuation? {
        switch self {
        case .page(let number): number < .max ? .page(number + 1) : nil
        case .offset(let offset): offset < .max - count ? .offset(offset + count) : nil
        case .cursor, .link: nil
        }
    }

    /// Whether it is more than any server needs to find its place again, and so is not kept.
    var isTooLong: Bool {
        switch self {
        case .cursor(let text), .link(let text): text.utf8.count > Self.longest
        case .page, .offset: false
        }
    }

    /// In bytes of UTF-8.
    static let longest = 64 * 1024
}
