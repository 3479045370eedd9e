import Foundation
import LarderSQLite

/// Reads a feed's tables: the stretch at a position, and what has to be asked for what it lacks.
///
/// A stretch takes two indexed range reads, whatever the feed's size. The segments' statement stays open around the
/// items', which makes one snapshot of both (a read transaction lasts until the last pending SELECT ends).
struct FeedReader {
    let feed: Int64
    let paging: Paging

    var order: Paging.Order { paging.order }
    var parameters: Set<Paging.Parameter> { paging.parameters }

    init(feed: Int64, paging: Paging) {
        self.feed = feed
        self.paging = paging
    }

    /// A reader that only looks, and so need not know how the server is asked.
    init(feed: Int64, order: Paging.Order) {
        let paging: Paging =
            switch order {
            case .byID(let order): .byID(order, parameters: [])
            case .byPosition(let order): .afterItem(order: order, parameters: [])
            }
        self.init(feed: feed, paging: paging)
    }

    var items: ItemTable { ItemTable(feed: feed, order: order) }

    func stretch(at position: FeedPosition, limit: Int, in db: borrowing Connection) throws -> Stretch {
        switch position {
        case .newest:
            return try downward(from: nil, limit: limit, in: db)
        case .older(let id):
            return try downward(from: id, limit: limit, in: db)
        case .newer(let id):
            return try upward(from: id, limit: limit, in: db)
        }
    }

    /// What a server is asked for when nothing of `position` is stored.
    static func request(for position: FeedPosition, paging: Paging, limit: Int) -> PageRequest {
        if paging.usesContinuations { return paging.headRequest(limit: limit) }
        return switch position {
        case .newest: PageRequest(limit: limit)
        case .older(let id): PageRequest(below: id, limit: limit)
        case .newer(let id):
            upwardRequest(from: id, overlap: nil, ceiling: nil, paging: paging, limit: limit)
        }
    }

    // MARK: Older

    private func downward(from id: ItemID?, limit: Int, in db: borrowing Connection) throws -> Stretch {
        let position: FeedPosition = id.map { .older(than: $0) } ?? .newest
        var stretch = Stretch(whole: Self.request(for: position, paging: paging, limit: limit))
        stretch.missing = stretch.whole
        let place = try id.map { try items.place(of: $0, in: db) }
        if case .some(.none) = place { return stretch }
        let start: Cut = place.flatMap { $0 }.map { .below($0) } ?? .top
        if let id, case .byPosition = order, let key = start.key {
            let onward = try onward(below: id, key: key, at: start, limit: limit, in: db)
            if case .stalled(let reason) = onward { stretch.stall = reason }
            stretch.whole = onward.request ?? stretch.whole
            stretch.missing = onward.request
        }

        let sql = """
            SELECT low, high, stamp, at, lifetime, checksum FROM larder_segment
            WHERE feed = ?1 AND low < ?2 ORDER BY low DESC
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(start.encoded, at: 2)
            guard var segment = try statement.nextSegment(of: feed) else { return }
            let isProven = id == nil ? segment.isHead : segment.span.high >= start
            if id != nil, !isProven { return }
            if isProven { stretch.stamps.append(segment.stamp) }

            let upper = min(start, segment.span.high)
            let stored = try items.items(next: .below, to: upper, limit: limit, in: db)
            if !isProven { stretch.stamps.append(segment.stamp) }

            // Down the segments as far as they touch, until the last item is covered.
            var edge = segment.span.low
            var covered = 0
            while true {
                while covered < stored.count, edge <= .below(stored[covered].key) { covered += 1 }
                if covered == limit { break }
                guard edge != .bottom, let next = try statement.nextSegment(of: feed), next.span.high == edge else {
                    break
                }
                segment = next
                edge = segment.span.low
                stretch.stamps.append(segment.stamp)
            }
            stretch.items = covered == stored.count ? stored : Array(stored.prefix(covered))
            if stretch.items.isEmpty, edge != .bottom, id == nil, let newest = stored.first {
                // Nothing is left of the newest run, since its items have turned up elsewhere: the next one is the newest
                // that can be shown, with nothing said about what is above it.
                stretch = try self.run(holding: newest, limit: limit, in: db)
                return
            }
            stretch.isAtEnd = covered < limit && edge == .bottom
            stretch.isComplete = isProven && (covered == limit || stretch.isAtEnd)
            guard isProven else { return }
            stretch.missing = nil
            stretch.stall = nil
            guard !stretch.isComplete else { return }
            if let last = stretch.items.last?.id ?? id, let key = stretch.items.last?.key ?? start.key {
                let onward = try onward(below: last, key: key, at: edge, limit: limit - covered, in: db)
                stretch.missing = onward.request
                if case .stalled(let reason) = onward { stretch.stall = reason }
            } else {
                stretch.missing = stretch.whole
            }
        }
        if let id, stretch.items.isEmpty, !stretch.isComplete, let request = try endRequest(at: id, limit, in: db) {
            stretch.missing = request
            stretch.whole = request
        }
        return stretch
    }

    /// Where an empty answer has suggested that the feed ends below `id`: to ask from one item earlier, so that `id` coming
    /// back proves it.
    private func endRequest(at id: ItemID, _ limit: Int, in db: borrowing Connection) throws -> PageRequest? {
        guard case .byPosition(.newestOnTop) = order, try SupposedEnd.load(feed: feed, in: db)?.item == id else {
            return nil
        }
        let upper = try upward(from: id, limit: 1, in: db)
        // Above the only item is the head.
        guard let item = upper.items.first else { return upper.isAtEnd ? PageRequest(limit: max(2, limit)) : nil }
        return PageRequest(below: item.id, limit: max(2, limit))
    }

    /// The items from `first` on downwards, as far as they were neighbours.
    private func run(holding first: StoredItem, limit: Int, in db: borrowing Connection) throws -> Stretch {
        var stretch = try downward(from: first.id, limit: limit - 1, in: db)
        stretch.items.insert(first, at: 0)
        stretch.isComplete = false
        stretch.whole = paging.headRequest(limit: limit)
        stretch.missing = stretch.whole
        stretch.stall = nil
        return stretch
    }
}
