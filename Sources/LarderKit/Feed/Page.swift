/// What a typed fetch closure brings back: the items in the server's order, newest first, and what follows them.
public struct Page<Item: Sendable>: Sendable {
    public var items: [Item]
    public var follows: PageFollowing
    /// What the server can be asked with whether this page has changed, if it said.
    public var validators = Validators()

    /// A page that says nothing about what follows it.
    public init(_ items: [Item]) {
        self.items = items
        follows = .unknown
    }

    /// A page and what to go on with, or `nil` when the server said that nothing follows.
    public init(_ items: [Item], next: Continuation?, validators: Validators = Validators()) {
        self.items = items
        self.validators = validators
        follows = next.map { .more($0) } ?? .nothing
    }

    /// A page the server called the last: nothing follows it in the direction that was asked.
    public static func last(_ items: [Item]) -> Page {
        Page(items, next: nil)
    }

    /// What was asked for has not changed since the answer whose validators the request bears.
    public static var notModified: Page {
        var page = Page([])
        page.follows = .unchanged
        return page
    }
}

/// What a server said of the items behind a page, in the direction the page was counted.
public enum PageFollowing: Sendable, Hashable {
    /// It said nothing. A full page proves nothing about what follows, and neither does a short one.
    case unknown
    /// It said that nothing follows within the interval asked for.
    case nothing
    /// It gave something to go on with, and so said that this page is not the end, however short it is.
    case more(Continuation)
    /// It said that this page is not the end, and gave nothing to go on with, since its kind of paging needs nothing.
    case something
    /// It said that the page is as it was, and gave no items.
    case unchanged
}
