public import Foundation

/// What a server is asked for: at most ``limit`` items of an open interval of the feed, counted from one of its ends.
///
/// ``since``, ``min`` and ``max`` are views of it under the names servers use.
public struct PageRequest: Sendable, Hashable {
    /// The end of the interval from which the server counts.
    public enum End: Sendable, Hashable {
        case newest
        case oldest
    }

    /// Only items newer than this one, which is not included; `nil` for no such bound.
    public let above: ItemID?
    /// Only items older than this one, which is not included; `nil` for no such bound.
    public let below: ItemID?
    public let countedFrom: End
    /// At most this many items. A server may give fewer.
    public let limit: Int

    public init(above: ItemID? = nil, below: ItemID? = nil, countedFrom: End = .newest, limit: Int) {
        self.above = above
        self.below = below
        self.countedFrom = countedFrom
        self.limit = limit
    }

    /// The newest items newer than this id are wanted.
    public var since: String? { countedFrom == .newest ? above?.rawValue : nil }
    /// The items next above this id are wanted.
    public var min: String? { countedFrom == .oldest ? above?.rawValue : nil }
    /// Items older than this id are wanted.
    public var max: String? { below?.rawValue }

    /// The request as query items, under the names the server uses for them.
    public func queryItems(
        since sinceName: String = "since_id", min minName: String = "min_id", max maxName: String = "max_id",
        limit limitName: String = "limit"
    ) -> [URLQueryItem] {
        let named = [(sinceName, since), (minName, min), (maxName, max), (limitName, String(limit))]
        return named.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    }
}
