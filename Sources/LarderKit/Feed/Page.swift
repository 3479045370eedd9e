/// What a typed fetch closure brings back: the items in the server's order, newest first, and what follows them.
public struct Page<Item: Sendable>: Sendable {
    public var items: [Item]
    public var follows: PageFollowing

    /// A page that says nothing about what follows it.
    public init(_ items: [Item]) {
        self.items = items
        follows = .unknown
    }

    /// A page the server called the last: nothing follows it in the direction that was asked.
    public static func last(_ items: [Item]) -> Page {
        var page = Page(items)
        page.follows = .nothing
        return page
    }
}

/// What a server said of the items behind a page, in the direction the page was counted.
public enum PageFollowing: Sendable, Hashable {
    /// It said nothing. A full page proves nothing about what follows, and neither does a short one.
    case unknown
    /// It said that nothing follows within the interval asked for.
    case nothing
}
