/// Which resources and feeds of a partition are meant.
public struct Selection: Sendable {
    enum Kind: String, Sendable {
        case key
        case prefix
        case tag
        case all
        /// A resource in one of the places that values are kept in.
        case place
    }

    let kind: Kind
    let name: String

    /// The resource and the feed of this key.
    public static func key(_ key: String) -> Selection { Selection(kind: .key, name: key) }

    /// All whose key begins with these characters, compared byte by byte.
    public static func prefix(_ prefix: String) -> Selection { Selection(kind: .prefix, name: prefix) }

    /// All that bear this tag (``ResourceOptions/tags``, ``FeedOptions/tags``).
    public static func tag(_ tag: String) -> Selection { Selection(kind: .tag, name: tag) }

    /// Everything in the partition.
    public static let all = Selection(kind: .all, name: "")

    static func place(_ key: String, in storage: ResourceOptions.Storage) -> Selection {
        Selection(kind: .place, name: "\(storage.identity)\0\(key)")
    }

    /// - Parameter storage: Where the value is kept; `nil` of a feed.
    func contains(_ key: String, tags: [String], storage: ResourceOptions.Storage? = nil) -> Bool {
        switch kind {
        case .place: storage.map { Self.place(key, in: $0).name.utf8.elementsEqual(name.utf8) } ?? false
        case .key: key.utf8.elementsEqual(name.utf8)
        case .prefix: key.utf8.starts(with: name.utf8)
        case .tag: tags.contains { $0.utf8.elementsEqual(name.utf8) }
        case .all: true
        }
    }
}
