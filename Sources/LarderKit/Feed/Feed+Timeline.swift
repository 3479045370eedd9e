import Foundation
import LarderSQLite

extension Feed {
    /// The feed as a whole, as far as it is stored: its newest items, with a row for each gap between runs. On the
    /// caller's thread and without a request.
    ///
    /// Who stands where is read at once, and the items when their rows are touched.
    ///
    /// - Parameter limit: At most this many items; all of them, unless said otherwise.
    /// - Returns: `nil` when nothing is stored. The reading is as old as the oldest part shown, and stale when that is: of a
    ///   long list nearly always. Whether the newest page is stale is told by ``peek(_:limit:)``.
    /// - Complexity: O(`limit`), without the bytes of the items.
    public func timeline(limit: Int? = nil) throws(LarderError) -> Reading<Timeline<Item>>? {
        try timelineState(after: nil, touched: nil, limit: limit).map { state in
            reading(of: Timeline(state, contents: TimelineContents(feed: self)))
        }
    }

    /// The feed as it stands now, sharing what has not changed with how it stood.
    func timelineState(
        after old: TimelineState?, touched: [Span]?, limit: Int?
    ) throws(LarderError) -> TimelineState? {
        do {
            let state = try core.database.read { db -> TimelineState? in
                guard let reader = try reader(in: db) else { return nil }
                var state = try TimelineReader(feed: reader.feed, order: paging.order, meter: core.timelineMeter)
                    .state(after: old, touched: touched, limit: limit.map(Self.clamped) ?? .max, in: db)
                if state?.isAtEnd == false { state?.stall = try reader.olderStep(limit: 1, in: db)?.stall }
                return state
            }
            noteUse()
            try partition.check(after: core.database)
            return state
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// A timeline as the app sees it.
    func reading(of timeline: Timeline<Item>) -> Reading<Timeline<Item>> {
        let now = now
        let age = timeline.state?.age
        let storedAt = age?.oldest ?? now.millisecondsSince1970
        return Reading(
            value: timeline, source: .cache, storedAt: Date(millisecondsSince1970: storedAt),
            age: .milliseconds(max(0, now.millisecondsSince1970 - storedAt)),
            isStale: age.map { !$0.isFresh(maxAge: maxAge, now: now) } ?? true, reason: .peeked)
    }

    /// The holes between the runs of the feed, newest first.
    ///
    /// - Complexity: O(number of answers the feed's proofs rest on).
    public func gaps() throws(LarderError) -> [Gap] {
        do {
            let gaps = try core.database.read { db in try reader(in: db)?.gaps(in: db) ?? [] }
            try partition.check(after: core.database)
            return gaps
        } catch {
            throw core.noticing(error, in: partition)
        }
    }
}
