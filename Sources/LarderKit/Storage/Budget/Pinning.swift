import LarderSQLite

/// Something that is never trimmed.
public struct Pin: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case resource
        case feed
    }

    public let kind: Kind
    /// Whose it is; empty for ``Larder/common``.
    public let partition: String
    /// The key of the resource, or the name of the feed.
    public let name: String

    public init(_ kind: Kind, partition: String = "", name: String) {
        self.kind = kind
        self.partition = partition
        self.name = name
    }
}

extension Resource {
    /// Exempts what is stored under this key from trimming, or no longer; now and when it is replaced, and before anything is
    /// stored as well. Holds for the database and for files. Signing out ends it.
    public func pin(_ isPinned: Bool = true) async throws(LarderError) {
        do {
            try await core.database.write { [partition, key] db in
                try partition.check(in: db)
                try PinTable.set(key, isPinned, in: db)
            }
            core.keeper.forget()
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// Whether the resource is exempt from trimming.
    public func isPinned() throws(LarderError) -> Bool {
        if partition.isSignedOut { throw .signedOut }
        do {
            let isPinned = try core.database.withReader { db in try PinTable.contains(key, in: db) }
            try partition.check(after: core.database)
            return isPinned
        } catch {
            throw core.noticing(error, in: partition)
        }
    }
}

extension Larder {
    /// What is exempt from trimming, by partition and name.
    public func pins() throws(StorageError) -> [Pin] {
        guard !core.isClosed else { throw .closed }
        return try storing {
            try core.database.read { db in
                let resources = try PinTable.keys(in: db).map { Pin(.resource, partition: $0.partition, name: $0.key) }
                let feeds = try db.query("SELECT partition, name FROM larder_feed WHERE is_pinned") { row -> Pin? in
                    guard let partition = try row.readableText(0), let name = try row.readableText(1) else {
                        return nil
                    }
                    return Pin(.feed, partition: partition, name: name)
                }
                return (resources + feeds.compactMap { $0 }).sorted {
                    ($0.partition, $0.name, $0.kind.rawValue) < ($1.partition, $1.name, $1.kind.rawValue)
                }
            }
        }
    }
}
