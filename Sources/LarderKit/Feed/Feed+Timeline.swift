import Foundation
import LarderSQLite

extension Feed {
    /// The feed as a whole, as far as it is stored: its newest items, with a row for each gap between runs. On the
    /// caller's thread and without a request.
    ///
    /// - Parameter limit: At most this many items.
    /// - Returns: `nil` when nothing is stored. The reading is as old as the oldest part shown.
    /// - Complexity: O(`limit`), each item decoded.
    public func timeline(limit: Int = 200) throws(LarderError) -> Reading<[TimelineRow<Item>]>? {
        let stored: FeedExtent?
        do {
            stored = try core.database.withReader { db in
                try reader(in: db)?.extent(limit: Self.clamped(limit), in: db)
            }
        } catch {
            throw .storage(.wrapping(error))
        }
        guard let stored, !stored.pieces.isEmpty else {
            // A feed that is known to have no items is stored, too.
            return try peek(limit: 1).map { reading in reading.map { _ in [] } }
        }
        var rows: [TimelineRow<Item>] = []
        var warnings: [ReadingWarning] = []
        for (index, piece) in stored.pieces.enumerated() {
            if index > 0, let above = stored.pieces[index - 1].last, let below = piece.first {
                rows.append(.gap(Gap(above: above.id, below: below.id)))
            }
            rows += try self.rows(piece, &warnings)
        }
        let storedAt = stored.stamps.map(\.at).min() ?? now.millisecondsSince1970
        return Reading(
            value: rows, source: .cache, storedAt: Date(millisecondsSince1970: storedAt),
            age: .milliseconds(max(0, now.millisecondsSince1970 - storedAt)),
            isStale: !stored.stamps.allSatisfy { $0.isFresh(maxAge: maxAge, now: now) }, reason: .peeked,
            warnings: warnings)
    }

    /// The holes between the runs of the feed, newest first.
    ///
    /// - Complexity: O(number of answers the feed's proofs rest on).
    public func gaps() throws(LarderError) -> [Gap] {
        do {
            return try core.database.read { db in try reader(in: db)?.gaps(in: db) ?? [] }
        } catch {
            throw .storage(.wrapping(error))
        }
    }

    private func rows(
        _ items: [StoredItem], _ warnings: inout [ReadingWarning]
    ) throws(LarderError) -> [TimelineRow<Item>] {
        var rows: [TimelineRow<Item>] = []
        var undecodable: [UndecodableItem] = []
        for item in items {
            switch try decode(item) {
            case .success(let value):
                rows.append(.item(item.id, value))
            case .failure(let error):
                rows.append(.undecodable(item.id))
                undecodable.append(error)
            }
        }
        if !undecodable.isEmpty { warnings.append(.undecodableItems(undecodable)) }
        return rows
    }
}
