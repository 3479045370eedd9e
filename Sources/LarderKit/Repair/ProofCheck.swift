import LarderSQLite

/// Whether what is proven of the feeds holds together: stretches that do not overlap, and items that lie within them.
struct ProofCheck {
    let progress: RepairProgress

    func run(in db: borrowing Connection, _ report: inout VerificationReport) throws {
        let feeds = try db.query("SELECT id, partition, name, paging FROM larder_feed") { row in
            (try row.int64(0), try row.readableText(1), try row.readableText(2), try row.readableText(3))
        }
        for (feed, partition, name, paging) in feeds {
            try progress.check()
            report.feeds += 1
            func add(_ kind: VerificationReport.Finding.Kind, _ explanation: String) {
                report.add(.init(kind, explanation, table: "larder_feed", partition: partition, feed: name))
            }
            let segments = try SegmentTable(feed: feed).segments(touching: Span(.bottom, .top), in: db)
            if Self.overlap(segments) { add(.proof, "stretches of the feed overlap") }
            let order = paging.flatMap { try? Paging(fingerprint: $0) }?.order
            if order == nil { add(.row, "how the feed is paged cannot be read") }
            let items = try Self.items(of: feed, order: order, in: db)
            if items.contains(where: { !$0.isAtItsPlace }) { add(.proof, "items stand where their ids do not belong") }
            let spans = segments.map(\.span)
            let outside = items.count { !spans.contains($0.key) }
            if outside > 0 { add(.note, "\(outside) items lie in no proven stretch, and are not shown") }
            let inside = try EdgeTable(feed: feed).cuts(in: db).count { cut in
                spans.contains { $0.low < cut && cut < $0.high }
            }
            if inside > 0 { add(.note, "\(inside) edges lie inside of proven stretches") }
        }
    }

    static func overlap(_ segments: [Segment]) -> Bool {
        zip(segments, segments.dropFirst()).contains { $0.span.high > $1.span.low }
    }

    struct Item {
        let key: SortKey
        /// In a feed ordered by id: its key is that of its id.
        let isAtItsPlace: Bool
    }

    static func items(of feed: Int64, order: Paging.Order?, in db: borrowing Connection) throws -> [Item] {
        let isByPosition = order.map { if case .byPosition = $0 { true } else { false } } ?? true
        let sql = isByPosition ? "key, NULL" : "key, id"
        return try db.withStatement("SELECT \(sql) FROM larder_feed_item WHERE feed = ?1 ORDER BY key") { statement in
            try statement.bind(feed, at: 1)
            return try statement.collect { row in
                guard row.type(0) == .integer || row.type(0) == .blob else {
                    return Item(key: .bytes([]), isAtItsPlace: false)
                }
                let key = try row.sortKey(0)
                guard case .byID(let idOrder)? = order, let id = try row.readableText(1) else {
                    return Item(key: key, isAtItsPlace: true)
                }
                return Item(key: key, isAtItsPlace: SortKey(ItemID(id), order: idOrder) == key)
            }
        }
    }
}
