import LarderSQLite

@testable import LarderKit

extension FeedWorld {
    func touch(_ spans: [Span]?) {
        touched = touched.flatMap { known in spans.map { known + $0 } }
    }

    /// One who follows the feed, and reads again only where it was touched, sees what one sees who reads all of it: the
    /// runs, with the gaps between them.
    func checkTimeline(_ runs: [[ItemID]], in db: borrowing Connection) throws {
        let reader = TimelineReader(feed: reader.feed, order: reader.order, meter: TimelineMeter())
        let fresh = try reader.rows(after: nil, touched: nil, limit: .max, in: db)
        guard fresh.runs == runs else { throw Violation("the timeline shows \(fresh.runs), stored are \(runs)") }
        let followed = try reader.rows(after: timeline, touched: touched, limit: .max, in: db)
        guard followed.slots(in: 0..<followed.itemCount) == fresh.slots(in: 0..<fresh.itemCount) else {
            throw Violation("who follows sees \(followed.runs), stored are \(runs)")
        }
        for item in fresh.runs.joined() where followed.index(of: item) != fresh.index(of: item) {
            throw Violation("\(item) is found at \(followed.index(of: item) ?? -1)")
        }
        timeline = followed
        touched = []
    }
}

extension TimelineRows {
    /// The ids between gaps.
    var runs: [[ItemID]] {
        slots(in: 0..<itemCount).reduce(into: []) { runs, slot in
            if slot.gapAbove != nil || runs.isEmpty { runs.append([]) }
            runs[runs.count - 1].append(slot.entry.id)
        }
    }
}
