import Foundation
import LarderSQLite

/// A feed as it stood at one time, with what is known of it as a whole.
struct TimelineState: Sendable {
    var rows: TimelineRows
    var age: TimelineAge
    /// The feed is known to end with the last row.
    var isAtEnd: Bool
    /// Why nothing below what is stored can be asked for, until the head has been.
    var stall: StallReason?
}

/// How old the answers are that a timeline rests on, in milliseconds since 1970.
struct TimelineAge: Sendable, Hashable {
    var oldest: Int64
    var newest: Int64
    /// When the first of them is past the lifetime that the server gave it.
    var expiry: Int64

    /// Whether every part is fresh, as ``Stamp/isFresh(maxAge:now:)`` says it of one.
    func isFresh(maxAge: Duration?, now: Date) -> Bool {
        let now = now.millisecondsSince1970
        return now >= newest && now < (maxAge.map { oldest + $0.milliseconds } ?? expiry)
    }
}

extension TimelineReader {
    /// The feed as it stands now, or `nil` when nothing of it is stored. An empty one that is known to be empty is stored.
    func state(
        after old: TimelineState?, touched: [Span]?, limit: Int, in db: borrowing Connection
    ) throws -> TimelineState? {
        let rows = try rows(after: old?.rows, touched: touched, limit: limit, in: db)
        guard let lowest = rows.lowest else {
            let head = try FeedReader(feed: feed, order: order).stretch(at: .newest, limit: 1, in: db)
            guard head.isKnown, let at = head.storedAt else { return nil }
            let expiry = head.stamps.map { $0.at + ($0.lifetime ?? 0) }.min() ?? at
            let newest = head.stamps.map(\.at).max() ?? at
            return TimelineState(
                rows: rows, age: TimelineAge(oldest: at, newest: newest, expiry: expiry), isAtEnd: head.isAtEnd)
        }
        let end = Span(.bottom, .below(lowest.key))
        let isLast = try !ItemTable(feed: feed, order: order).hasItems(in: end, in: db)
        let floor = isLast ? try SegmentTable(feed: feed).segments(touching: end, in: db) : []
        let age = try age(above: end.high, in: db) ?? TimelineAge(oldest: 0, newest: 0, expiry: 0)
        return TimelineState(
            rows: rows, age: age,
            isAtEnd: Self.runs(of: floor).first.map { $0.low == .bottom && $0.contains(lowest.key) } ?? false)
    }

    /// The age of all that is proven above a cut. Rows that cannot be read prove nothing.
    private func age(above cut: Cut, in db: borrowing Connection) throws -> TimelineAge? {
        let sql = """
            SELECT min(at), max(at), min(at + coalesce(lifetime, 0)) FROM larder_segment
            WHERE feed = ?1 AND high > ?2 AND typeof(at) = 'integer' AND at BETWEEN -(1 << 60) AND 1 << 60
                AND (lifetime IS NULL OR typeof(lifetime) = 'integer' AND lifetime BETWEEN -(1 << 60) AND 1 << 60)
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(cut.encoded, at: 2)
            guard try statement.step(), !statement.row.isNull(0) else { return nil }
            return TimelineAge(
                oldest: try statement.row.int64(0), newest: try statement.row.int64(1),
                expiry: try statement.row.int64(2))
        }
    }
}
