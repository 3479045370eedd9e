import LarderSQLite

extension Partition {
    /// Removes one item that is known to be gone (404, 410) from every feed of this partition. Its neighbours stay
    /// neighbours, and an answer that was asked for earlier does not bring it back.
    public func remove(item id: ItemID) async throws(LarderError) {
        let core = core
        let name = name
        do {
            try await core.database.write { db in
                for feed in try StoredFeed.all(in: db) where feed.partition.utf8.elementsEqual(name.utf8) {
                    let latest = try FeedRow.load(partition: name, name: feed.name, in: db)?.latest ?? 0
                    let stamp = core.stamps.next(at: core.environment.clock.now(), after: latest)
                    try feed.remove(id, stamp: stamp, in: db)
                }
            }
        } catch {
            throw .storage(.wrapping(error))
        }
    }
}

extension StoredFeed {
    /// Settles the item's place as empty, and deletes the item.
    fileprivate func remove(_ id: ItemID, stamp: Stamp, in db: borrowing Connection) throws {
        let items = ItemTable(feed: self.id, order: order)
        guard let key = try items.key(of: id, in: db) else { return }
        _ = try SegmentTable(feed: self.id).claim([Span(of: key)], stamp: stamp, in: db)
        try items.remove(key, in: db)
    }
}
