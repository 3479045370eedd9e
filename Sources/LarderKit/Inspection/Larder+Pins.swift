import LarderSQLite

extension Larder {
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
        core.keeper.forget()
    }
}
