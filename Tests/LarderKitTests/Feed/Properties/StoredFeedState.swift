import Foundation
import LarderSQLite

@testable import LarderKit

/// All that the tables hold of a feed, newest first.
struct StoredFeedState {
    struct Item: Hashable {
        let key: SortKey
        let id: ItemID
        let text: String
        /// The stamp of the segment it lies in.
        let stamp: Int64
    }

    /// A stretch of segments that touch, with its items.
    struct Run {
        var items: [Item]
        var span: Span
    }

    let items: [Item]
    let segments: [Segment]
    let runs: [Run]
    let byID: [ItemID: Item]

    /// - Parameter text: What the bytes of an item say.
    init(
        _ reader: FeedReader, in db: borrowing Connection,
        text: (Data) -> String = { String(decoding: $0, as: UTF8.self) }
    ) throws {
        let segments: [Segment] = try SegmentTable(feed: reader.feed)
            .segments(touching: Span(.bottom, .top), in: db).reversed()
        for (upper, lower) in zip(segments, segments.dropFirst()) where lower.span.high > upper.span.low {
            throw Violation("two segments overlap: \(upper.span) and \(lower.span)")
        }
        var items: [Item] = []
        for item in try reader.items.items(next: .below, to: .top, limit: 100_000, in: db) {
            guard let segment = segments.first(where: { $0.span.contains(item.key) }) else {
                throw Violation("\(item.id) lies in no segment")
            }
            items.append(
                Item(
                    key: item.key, id: item.id, text: text(item.body),
                    stamp: segment.stamp.order))
        }
        var runs: [Run] = []
        for segment in segments {
            let inside = items.filter { segment.span.contains($0.key) }
            if let last = runs.last, last.span.low == segment.span.high {
                runs[runs.count - 1].span = Span(segment.span.low, last.span.high)
                runs[runs.count - 1].items += inside
            } else {
                runs.append(Run(items: inside, span: segment.span))
            }
        }
        byID = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        guard byID.count == items.count else { throw Violation("an item is stored twice") }
        self.items = items
        self.segments = segments
        self.runs = runs
    }

    /// The run that a page of the newest shows: the topmost one, or where nothing is left of that, the next that has items.
    var newestRun: Run? {
        guard let top = runs.first, top.items.isEmpty, top.span.low != .bottom else { return runs.first }
        return runs.first { !$0.items.isEmpty }
    }

    /// The keys of items and of the segments' bounds, greatest first.
    var places: [SortKey] {
        var keys = Set(items.map(\.key))
        for cut in segments.flatMap({ [$0.span.low, $0.span.high] }) {
            switch cut {
            case .below(let key), .above(let key): keys.insert(key)
            case .bottom, .top: break
            }
        }
        return keys.sorted(by: >)
    }
}

/// Something that must never be.
struct Violation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
