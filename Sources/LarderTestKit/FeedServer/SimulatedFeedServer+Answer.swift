public import LarderKit

extension SimulatedFeedServer {
    /// What goes wrong with one answer. Faults are asked for with ``SimulatedFeedServer/inject(_:times:)``.
    public enum Fault: Sendable, Hashable {
        /// The page's first item comes twice in a row.
        case duplicate
        /// The page's last item comes first.
        case unsorted
        /// That many items more than the limit and the cap allow, as far as there are.
        case oversize(by: Int)
        /// That many items fewer than there could be. What is missing follows, unless pages are numbered.
        case short(by: Int)
        /// No item, whatever there is.
        case empty
        /// No page, but this status.
        case status(Int)
        /// No page but this status, 400 or 410, where the request bears a continuation. A first page is as it should be.
        case expired(status: Int)
        /// What is given to go on with leads back, at the end of the list too: by one page to this very page, by two to
        /// the one before, and so on.
        case loop(pages: Int)
        /// The first page, whatever was asked for.
        case firstPage
        /// The link to go on with leads to another origin.
        case foreignLink
    }

    /// What the server answered.
    public struct Answer: Sendable, Hashable {
        /// 200; 304 for a page that has not changed since the answer whose validators the request bears; or why there is
        /// no page.
        public let status: Int
        /// In the server's order, newest first. A fault may break that. None without a page.
        public let items: [Item]
        /// The version of the list that was looked at.
        public let version: Int
        /// Whether the interval, as the server understood it, holds more in the direction it was counted: the truth,
        /// whether or not the server says it.
        public let hasMore: Bool
        /// What the answer says of that, as a typed page says it.
        public let follows: PageFollowing
        /// The entity tag of the page, where there is one.
        public let etag: String?
        /// The fault that was injected into it.
        public let fault: Fault?

        public var ids: [ItemID] { items.map(\.itemID) }

        /// What the answer gives to go on with.
        public var next: Continuation? {
            if case .more(let next) = follows { next } else { nil }
        }
    }

    /// A request and what was answered.
    public struct Exchange: Sendable, Hashable {
        public let request: PageRequest
        public let answer: Answer
    }
}
