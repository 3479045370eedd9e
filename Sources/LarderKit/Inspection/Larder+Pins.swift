import LarderSQLite

/// What is exempt from trimming.
extension Larder {
    /// The keys of values that are pinned, stored or not, and of feeds that are.
    package func pinnedKeys() throws(StorageError) -> [StoreKey] {
        try storing {
            try core.database.withReader { db in
                let feeds = try db.query("SELECT partition, name FROM larder_feed WHERE is_pinned") { row in
                    StoreKey(partition: try row.text(0), key: try row.text(1))
                }
                return try PinTable.keys(in: db).union(feeds)
                    .sorted { ($0.partition, $0.key) < ($1.partition, $1.key) }
            }
        }
    }

    /// Exempts what is stored under a key from trimming, value and feed, or no longer. Of what is not stored yet, the value
    /// is meant.
    package func setPinned(_ isPinned: Bool, _ key: StoreKey) async throws(StorageError) {
        try await storing {
            try await core.database.write { db in
                let feed = try FeedRow.load(partition: key.partition, name: key.key, in: db)
                try feed?.setPinned(isPinned, in: db)
                // A feed is no reason to pin a value that is not there.
                let isOfValue = try feed == nil || !isPinned || EntryTable.isStored(key, in: db)
                if isOfValue { try PinTable.set(key, isPinned, in: db) }
            }
        }
    }
}
