import LarderSQLite

/// The item below which an empty answer suggested that a feed ordered by position ends.
///
/// Asked for what lies below an item, a server also answers with nothing when that item is gone. So an empty answer proves
/// the end only if its anchor existed then, and a later answer that still shows the anchor in its place, and nothing after
/// it, proves that: what was removed does not come back to where it was.
struct SupposedEnd: Sendable, Hashable {
    let item: ItemID
    /// Where the item stood then.
    let key: SortKey
    /// That of the empty answer.
    let stamp: Stamp
}

extension SupposedEnd {
    static func load(feed: Int64, in db: borrowing Connection) throws -> SupposedEnd? {
        let sql = "SELECT end_item, end_stamp, end_at, end_key FROM larder_feed WHERE id = ?1 AND end_item IS NOT NULL"
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            guard try statement.step(), statement.row.type(0) == .text,
                (1..<4).allSatisfy({ statement.row.type($0) == .integer })
            else { return nil }
            let stamp = Stamp(order: try statement.row.int64(1), at: try statement.row.int64(2), lifetime: nil)
            return SupposedEnd(
                item: ItemID(try statement.row.text(0)), key: try statement.row.sortKey(3), stamp: stamp)
        }
    }

    func save(feed: Int64, in db: borrowing Connection) throws {
        try Self.update(feed, self, in: db)
    }

    static func clear(feed: Int64, in db: borrowing Connection) throws {
        try update(feed, nil, in: db)
    }

    private static func update(_ feed: Int64, _ end: SupposedEnd?, in db: borrowing Connection) throws {
        let sql = "UPDATE larder_feed SET end_item = ?2, end_stamp = ?3, end_at = ?4, end_key = ?5 WHERE id = ?1"
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(end?.item.rawValue, at: 2)
            try statement.bind(end?.stamp.order, at: 3)
            try statement.bind(end?.stamp.at, at: 4)
            if let end { try statement.bind(end.key, at: 5) } else { try statement.bindNull(at: 5) }
            try statement.run()
        }
    }
}

extension SupposedEnd {
    /// Forgets an end whose item is known to be gone.
    static func clear(feed: Int64, item: ItemID, in db: borrowing Connection) throws {
        guard try load(feed: feed, in: db)?.item == item else { return }
        try clear(feed: feed, in: db)
    }
}

extension FeedWriter {
    /// What lies below the last item of the feed, when an answer ends with that item and says that more follows: what an earlier one
    /// said of it holds no more.
    func endTakenBack(
        by page: IncomingPage, _ placement: PagePlacement, settled: [Span], _ items: ItemTable,
        in db: borrowing Connection
    ) throws -> Span? {
        switch page.follows {
        case .more, .something: break
        case .unknown, .nothing, .unchanged: return nil
        }
        guard page.request.countedFrom == .newest, let last = placement.items.last?.key, settled.contains(last) else {
            return nil
        }
        let span = Span(.bottom, .below(last))
        return try items.hasItems(in: span, in: db) ? nil : span
    }

    /// Takes note of an answer that suggests where the feed ends, or of one that proves what an earlier one suggested.
    /// Comes before the answer's items are stored: an item keeps its place where that is the stored one.
    ///
    /// What is stored below goes when that has happened twice, like anything that is gone by an empty answer.
    func settleEnd(
        _ page: IncomingPage, _ placement: PagePlacement, isLatest: Bool, _ row: inout FeedRow, _ items: ItemTable,
        in db: borrowing Connection, _ change: inout FeedChange
    ) throws {
        guard case .byPosition(.newestOnTop) = paging.order, !paging.usesContinuations else { return }
        let request = page.request
        if page.ids.isEmpty, placement.emptied == nil, isLatest, request.above == nil, let anchor = request.below {
            guard let key = try items.key(of: anchor, in: db) else { return }
            try SupposedEnd(item: anchor, key: key, stamp: page.stamp).save(feed: items.feed, in: db)
            return
        }
        guard let end = try SupposedEnd.load(feed: items.feed, in: db), end.stamp < page.stamp else { return }
        if placement.items.contains(where: { $0.key < end.key }) {
            // Something stands below it after all.
            return try SupposedEnd.clear(feed: items.feed, in: db)
        }
        guard let anchor = placement.items.last, anchor.id == end.item, page.ids.last == end.item
        else { return }
        let isInPlace = try items.key(of: anchor.id, in: db) == anchor.key && anchor.key == end.key
        // Standing alone, the anchor may as well have come back on top, unless it was on top, with room behind it.
        let hasHold = try placement.items.dropLast().last.map { try items.key(of: $0.id, in: db) == $0.key }
        guard isInPlace, hasHold ?? (request.below != nil || page.ids.count < request.limit) else { return }
        try SupposedEnd.clear(feed: items.feed, in: db)
        let floor = Span(.bottom, .below(anchor.key))
        guard try believesEmpty(floor, page.stamp, isLatest: isLatest, &row, items, in: db) else {
            change.distrustsEmptyAnswer = true
            return
        }
        change.touched.append(floor)
        for span in try SegmentTable(feed: items.feed).claim([floor], stamp: end.stamp, in: db) {
            for key in try items.keys(in: span, in: db).reversed() {
                if let id = try items.id(at: key, in: db) { change.removed.append(id) }
                try items.remove(key, in: db)
            }
        }
    }
}
