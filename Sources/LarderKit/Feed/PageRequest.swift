public import Foundation

/// What a server is asked for: at most ``limit`` items of an open interval of the feed, counted from one of its ends; or
/// what follows where it left off (``continuation``).
///
/// ``since``, ``min``, ``max``, ``cursor``, ``pageNumber`` and ``offset`` are views of it under the names servers use.
public struct PageRequest: Sendable, Hashable {
    /// The end of the interval from which the server counts.
    public enum End: Sendable, Hashable {
        case newest
        case oldest
    }

    /// Only items newer than this one, which is not included; `nil` for no such bound.
    public let above: ItemID?
    /// Only items older than this one, which is not included; `nil` for no such bound. With a ``continuation`` it is the
    /// item that the answer goes on from, and not for the server.
    public let below: ItemID?
    public let countedFrom: End
    /// At most this many items. A server may give fewer.
    public let limit: Int
    /// Where the server left off, for a kind of paging that has such a thing. Without one the first page is wanted; pages
    /// with numbers and offsets have one always.
    public let continuation: Continuation?
    /// Validators of the page as stored, when it is asked for only to see whether it has changed.
    public internal(set) var validators: Validators?
    /// The edge that ``continuation`` was stored at.
    var edge: EdgeMark?

    public init(
        above: ItemID? = nil, below: ItemID? = nil, countedFrom: End = .newest, limit: Int,
        continuation: Continuation? = nil
    ) {
        self.above = above
        self.below = below
        self.countedFrom = countedFrom
        self.limit = limit
        self.continuation = continuation
    }

    /// Whether nothing bounds what is asked for from above.
    var isUpToTheTop: Bool { below == nil && edge == nil }
    /// Whether the newest items are asked for.
    var isOfTheHead: Bool { isUpToTheTop && countedFrom == .newest }

    /// The newest items newer than this id are wanted.
    public var since: String? { countedFrom == .newest ? above?.rawValue : nil }
    /// The items next above this id are wanted.
    public var min: String? { countedFrom == .oldest ? above?.rawValue : nil }
    /// Items older than this id are wanted.
    public var max: String? { continuation == nil ? below?.rawValue : nil }

    /// The cursor to go on from; `nil` for the first page.
    public var cursor: String? {
        if case .cursor(let cursor) = continuation { cursor } else { nil }
    }

    /// The number of the page that is wanted; 1 where pages have none.
    public var pageNumber: Int { numberOfPage ?? 1 }

    var numberOfPage: Int? {
        if case .page(let number) = continuation { number } else { nil }
    }

    /// How many items to leave out from the top.
    public var offset: Int {
        if case .offset(let offset) = continuation { offset } else { 0 }
    }

    /// Where to ask for the page: at `list`, the list's own URL, or where the server's link leads.
    ///
    /// - Throws: When the link leads to another origin than `list` has (scheme, host or port), or bears a user name:
    ///   credentials for one server must not go to another.
    public func url(from list: URL) throws(FetchFailure) -> URL {
        guard case .link(let target) = continuation else { return list }
        do {
            return try ContinuationLink.resolve(target, against: list)
        } catch .otherOrigin {
            // A failure tells no part of a URL, not even a host that a server made up.
            throw FetchFailure(
                .wrongAnswer, "the link to a further page leads to another server than the list's: it is not followed")
        } catch {
            throw FetchFailure(.wrongAnswer, "\(error)")
        }
    }

    /// The request as query items, under the names the server uses for them. What is not asked for is left out.
    public func queryItems(
        since sinceName: String = "since_id", min minName: String = "min_id", max maxName: String = "max_id",
        cursor cursorName: String = "cursor", page pageName: String = "page", offset offsetName: String = "offset",
        limit limitName: String = "limit"
    ) -> [URLQueryItem] {
        let named = [
            (sinceName, since), (minName, min), (maxName, max), (cursorName, cursor),
            (pageName, numberOfPage.map { String($0) }), (offsetName, offset > 0 ? String(offset) : nil),
            (limitName, String(limit)),
        ]
        return named.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    }
}
