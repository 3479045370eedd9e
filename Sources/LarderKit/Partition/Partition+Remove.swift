import LarderSQLite

extension Partition {
    /// Removes one item that is known to be gone (404, 410) from every feed of this partition. Its neighbours stay
    /// neighbours, and an answer that was asked for earlier does not bring it back.
    public func remove(item id: ItemID) async throws(LarderError) {
        let core = core
        let name = name
        do {
            try await core.database.write { db in
                let feeds = try StoredFeed.all(in: db).filter { $0.partition.utf8.elementsEqual(name.utf8) }
                let latest = try feeds.map { try FeedRow.load(partition: name, name: $0.name, in: db)?.latest ?? 0 }
                let stamp = core.stamps.next(at: core.environment.clock.now(), after: latest.max() ?? 0)
                try GoneItems(partition: name).insert(id, stamp: stamp, in: db)
            }
        } catch {
            throw LarderError(.wrapping(error))
        }
    }
}
