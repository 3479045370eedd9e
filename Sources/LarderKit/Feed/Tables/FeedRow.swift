import LarderSQLite

/// What is stored of a feed as a whole.
struct FeedRow: Sendable {
    let id: Int64
    /// The ``Paging/fingerprint`` that the stored proofs depend on.
    let paging: String
    /// The order of the latest answer the feed has taken; a new request is stamped later than this.
    var latest: Int64
    var largestPage: Int
    /// An empty answer over stored items, which has to come a second time before it is believed.
    var pendingEmpty: PendingEmpty?
    /// Nothing of a pinned feed is ever trimmed.
    var isPinned = false
    /// The kind of item that the feed shares with others.
    var kind: String?
    /// When something of it was last read or written, nearly; in milliseconds since 1970. Zero where that is not known.
    var usedAt: Int64 = 0

    struct PendingEmpty: Sendable, Hashable {
        let span: Span
        let order: Int64
    }
}

extension FeedRow {
    /// The row of a feed. What is damaged of it counts as not there, and is written anew with the next answer: a declaration
    /// that cannot be read is another one than the app's.
    ///
    /// - Throws: ``StorageError`` of kind `corrupt` where it is not sure that the row is the feed's at all: its number leads to
    ///   the items.
    static func load(partition: String, name: String, in db: borrowing Connection) throws -> FeedRow? {
        let sql = """
            SELECT id, paging, latest, largest_page, empty_low, empty_high, empty_stamp, is_pinned, kind, checksum, used_at
            FROM larder_feed WHERE partition = ?1 AND name = ?2
            """
        return try db.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(name, at: 2)
            guard try statement.step() else { return nil }
            let identity = checksum(try statement.row.int64(0), partition: partition, name: name)
            guard try statement.row.readableInt64(9) == identity else {
                throw StorageError.corrupt("a feed's row is damaged")
            }
            var row = FeedRow(
                id: try statement.row.int64(0), paging: try statement.row.readableText(1) ?? "",
                latest: try statement.row.readableInt64(2) ?? 0,
                largestPage: try statement.row.readableInt64(3).flatMap { Int(exactly: $0) } ?? 0)
            row.isPinned = try statement.row.readableInt64(7) ?? 0 != 0
            row.kind = try statement.row.readableText(8)
            row.usedAt = try statement.row.readableInt64(10) ?? 0
            if statement.row.type(4) == .blob, statement.row.type(5) == .blob, let low = try statement.row.cut(4),
                let high = try statement.row.cut(5), let order = try statement.row.readableInt64(6)
            {
                row.pendingEmpty = PendingEmpty(span: Span(low, high), order: order)
            }
            return row
        }
    }

    static func create(partition: String, name: String, paging: Paging, in db: borrowing Connection) throws -> FeedRow {
        let sql = "INSERT INTO larder_feed (partition, name, paging) VALUES (?1, ?2, ?3)"
        try db.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(name, at: 2)
            try statement.bind(paging.fingerprint, at: 3)
            try statement.run()
        }
        let row = FeedRow(id: db.lastInsertRowID, paging: paging.fingerprint, latest: 0, largestPage: 0)
        // The number is known only now.
        try db.withStatement("UPDATE larder_feed SET checksum = ?2 WHERE id = ?1") { statement in
            try statement.bind(row.id, at: 1)
            try statement.bind(checksum(row.id, partition: partition, name: name), at: 2)
            try statement.run()
        }
        return row
    }

    /// The checksum of who the feed is. Its declaration checks itself: one that is damaged is another one than the app's.
    static func checksum(_ id: Int64, partition: String, name: String) -> Int64 {
        var sum = RowChecksum(.feed)
        sum.add(id)
        sum.add(partition)
        sum.add(name)
        return sum.value
    }

    func save(in db: borrowing Connection) throws {
        let sql = """
            UPDATE larder_feed SET latest = ?2, largest_page = ?3, empty_low = ?4, empty_high = ?5, empty_stamp = ?6,
                used_at = max(used_at, ?7)
            WHERE id = ?1
            """
        try db.withStatement(sql) { statement in
            try statement.bind(id, at: 1)
            try statement.bind(latest, at: 2)
            try statement.bind(largestPage, at: 3)
            try statement.bind(pendingEmpty?.span.low.encoded, at: 4)
            try statement.bind(pendingEmpty?.span.high.encoded, at: 5)
            try statement.bind(pendingEmpty?.order, at: 6)
            try statement.bind(usedAt, at: 7)
            try statement.run()
        }
    }
}

extension FeedRow {
    func setKind(_ kind: String, in db: borrowing Connection) throws {
        try db.withStatement("UPDATE larder_feed SET kind = ?2 WHERE id = ?1") { statement in
            try statement.bind(id, at: 1)
            try statement.bind(kind, at: 2)
            try statement.run()
        }
    }

    /// Forgets an empty answer that was not believed yet.
    static func clearPendingEmpty(feed: Int64, in db: borrowing Connection) throws {
        let sql = "UPDATE larder_feed SET empty_low = NULL, empty_high = NULL, empty_stamp = NULL WHERE id = ?1"
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.run()
        }
    }

    func setPinned(_ isPinned: Bool, in db: borrowing Connection) throws {
        try db.withStatement("UPDATE larder_feed SET is_pinned = ?2 WHERE id = ?1") { statement in
            try statement.bind(id, at: 1)
            try statement.bind(isPinned, at: 2)
            try statement.run()
        }
    }
}

extension Statement {
    /// The segment of the next row, in the columns low, high, stamp, at, lifetime, checksum. One that cannot be read or is
    /// damaged proves nothing any more, and so is passed over: it leaves a gap.
    func nextSegment(of feed: Int64) throws -> Segment? {
        while try step() {
            if let segment = try row.segment(0), try row.readableInt64(5) == segment.checksum(in: feed) {
                return segment
            }
        }
        return nil
    }

    func bind(_ key: SortKey, at index: Int32) throws {
        switch key {
        case .integer(let number): try bind(number, at: index)
        case .bytes(let bytes): try bind(bytes, at: index)
        }
    }
}

extension Row {
    /// The cut in a column, or `nil` for NULL.
    func cut(_ column: Int32) throws -> Cut? {
        guard !isNull(column) else { return nil }
        return try withBytes(column) { Cut(encoded: $0) }
    }

    func sortKey(_ column: Int32) throws -> SortKey {
        guard type(column) == .integer else { return .bytes(try withBytes(column) { Array($0) }) }
        return .integer(try int64(column))
    }

    /// The number or text in a column, or `nil` for anything else.
    func readableInt64(_ column: Int32) throws -> Int64? {
        type(column) == .integer ? try int64(column) : nil
    }

    func readableText(_ column: Int32) throws -> String? {
        type(column) == .text ? try text(column) : nil
    }

    /// The segment in five columns: low, high, stamp, at, lifetime. `nil` when they hold none.
    fileprivate func segment(_ column: Int32) throws -> Segment? {
        guard (column..<column + 2).allSatisfy({ type($0) == .blob }),
            (column + 2..<column + 4).allSatisfy({ type($0) == .integer }),
            let low = try cut(column), let high = try cut(column + 1), low < high
        else { return nil }
        let at = try int64(column + 3)
        let lifetime = type(column + 4) == .integer ? try int64(column + 4) : nil
        guard Self.times.contains(at), lifetime.map(Self.times.contains) ?? true else { return nil }
        return Segment(
            span: Span(low, high), stamp: Stamp(order: try int64(column + 2), at: at, lifetime: lifetime))
    }

    /// Milliseconds that can be added and subtracted without a thought.
    private static var times: ClosedRange<Int64> { -(1 << 60)...(1 << 60) }
}
