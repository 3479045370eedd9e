import LarderSQLite

extension Partition {
    /// Removes one item that is known to be gone (404, 410) from every feed of this partition. Its neighbours stay
    /// neighbours, and an answer that was asked for earlier does not bring it back.
    public func remove(item id: ItemID) async throws(LarderError) {
        let (core, state) = (core, state)
        let name = name
        do {
            let changes = try await core.database.write { db -> [(feed: String, change: FeedChange)] in
                try state.check(in: db)
                let feeds = try StoredFeed.all(in: db).filter { $0.partition.utf8.elementsEqual(name.utf8) }
                let latest = try feeds.map { try FeedRow.load(partition: name, name: $0.name, in: db)?.latest ?? 0 }
                let stamp = core.stamps.next(at: core.environment.clock.now(), after: latest.max() ?? 0)
                let changes = try feeds.compactMap { feed in
                    try ItemTable(feed: feed.id, order: feed.order).key(of: id, in: db).map { key in
                        var change = FeedChange(feed: feed.id)
                        change.removed = [id]
                        change.touched = [Span(of: key)]
                        return (feed.name, change)
                    }
                }
                try GoneItems(partition: name).insert(id, stamp: stamp, in: db)
                return changes
            }
            for (feed, change) in changes { core.publish(change, of: key(feed)) }
        } catch {
            throw core.noticing(error, in: state)
        }
    }
}
