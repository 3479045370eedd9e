import Foundation
import LarderSQLite

extension Feed {
    /// Forgets what need not be kept, now. What goes leaves an unknown floor or a gap. A pinned feed keeps everything.
    ///
    /// - Complexity: O(the number of items kept, by their keys alone, plus what goes).
    public func trim(to keep: FeedKeep) async throws(LarderError) {
        let now = now.millisecondsSince1970
        try await change { reader, row, db in
            guard !row.isPinned else { return [] }
            return try FeedTrim(feed: reader.feed, order: paging.order).run(keep, now: now, in: db)
        }
    }

    /// Forgets the items between two others, which stay: a gap is left.
    public func trim(between above: ItemID, and below: ItemID) async throws(LarderError) {
        try await change { reader, row, db in
            guard !row.isPinned, let span = try reader.span(of: Gap(above: above, below: below), in: db) else {
                return []
            }
            try FeedTrim(feed: reader.feed, order: paging.order).forget([span], in: db)
            return [span]
        }
    }

    /// Whether the feed is exempt from trimming.
    public func isPinned() throws(LarderError) -> Bool {
        try look { _, db in
            try FeedRow.load(partition: key.partition, name: key.key, in: db)?.isPinned ?? false
        }
    }

    /// Exempts the feed from trimming, or no longer.
    public func pin(_ isPinned: Bool = true) async throws(LarderError) {
        try await change { _, row, db in
            try row.setPinned(isPinned, in: db)
            return []
        }
    }

    /// Keeps the item at which someone is reading with the feed, or forgets it.
    public func keep(anchor id: ItemID?) async throws(LarderError) {
        try await change { reader, _, db in
            if let id {
                try ReadingAnchor(item: id, key: reader.items.key(of: id, in: db)).save(feed: reader.feed, in: db)
            } else {
                try ReadingAnchor.clear(feed: reader.feed, in: db)
            }
            return []
        }
    }

    /// The item that was kept with ``keep(anchor:)``; where it has gone, the one next to its place. `nil` when there is none.
    public func anchor() throws(LarderError) -> ItemID? {
        try look { reader, db in
            guard let reader else { return nil }
            return try ReadingAnchor.load(feed: reader.feed, in: db)?.nearest(in: reader.items, db)
        }
    }

    /// Changes the feed's tables in one transaction.
    private func change(
        _ body: @escaping @Sendable (FeedReader, FeedRow, borrowing Connection) throws -> [Span]
    ) async throws(LarderError) {
        let writer = FeedWriter(partition: key.partition, name: key.key, paging: paging)
        do {
            let touched = try await core.database.write { [paging, partition] db in
                try partition.check(in: db)
                let row = try writer.openRow(in: db)
                return try body(FeedReader(feed: row.id, paging: paging), row, db)
            }
            core.publish(forgotten: touched, of: key)
        } catch {
            throw core.noticing(error, in: partition)
        }
    }
}
