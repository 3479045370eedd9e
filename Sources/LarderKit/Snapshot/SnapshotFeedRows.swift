import Foundation
import LarderSQLite

/// A proven stretch of a feed, with what lies in it: without all of that it is not proven.
struct SnapshotSegment {
    let feed: Int64
    let segment: Segment
    var items = SnapshotSum()

    static let columns = "feed, low, high, stamp, at, lifetime, item_count, item_sum, checksum"

    private var checksum: Int64 {
        RowChecksum.ofSnapshot("segment") { sum in
            sum.add(feed)
            sum.add(blob: segment.span.low.encoded)
            sum.add(blob: segment.span.high.encoded)
            sum.add(segment.stamp.order)
            sum.add(segment.stamp.at)
            sum.add(segment.stamp.lifetime)
            sum.add(items.count)
            sum.add(items.sum)
        }
    }

    init(feed: Int64, segment: Segment) {
        self.feed = feed
        let stamp = segment.stamp
        self.segment = Segment(
            span: segment.span,
            stamp: Stamp(
                order: SnapshotLimits.stamps.clamping(stamp.order), at: SnapshotLimits.times.clamping(stamp.at),
                lifetime: stamp.lifetime.map(SnapshotLimits.times.clamping)))
    }

    /// - Returns: `nil` for a row that does not prove itself.
    init?(_ row: borrowing Row, from first: Int32) throws {
        guard [0, 3, 4, 6, 7, 8].allSatisfy({ row.type(first + $0) == .integer }),
            [1, 2].allSatisfy({ row.type(first + $0) == .blob }),
            row.type(first + 5) == .integer || row.isNull(first + 5),
            let low = try row.cut(first + 1), let high = try row.cut(first + 2), low < high
        else { return nil }
        let stamp = Stamp(
            order: try row.int64(first + 3), at: try row.int64(first + 4),
            lifetime: try row.optionalInt64(first + 5))
        guard SnapshotLimits.stamps.contains(stamp.order), SnapshotLimits.times.contains(stamp.at),
            stamp.lifetime.map(SnapshotLimits.times.contains) ?? true
        else { return nil }
        feed = try row.int64(first)
        segment = Segment(span: Span(low, high), stamp: stamp)
        items = SnapshotSum(count: try row.int64(first + 6), sum: try row.int64(first + 7))
        guard try row.int64(first + 8) == checksum else { return nil }
    }

    func insert(in db: borrowing Connection) throws {
        let sql = """
            INSERT INTO snapshot_segment (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(segment.span.low.encoded, at: 2)
            try statement.bind(segment.span.high.encoded, at: 3)
            try statement.bind(segment.stamp.order, at: 4)
            try statement.bind(segment.stamp.at, at: 5)
            try statement.bind(segment.stamp.lifetime, at: 6)
            try statement.bind(items.count, at: 7)
            try statement.bind(items.sum, at: 8)
            try statement.bind(checksum, at: 9)
            try statement.run()
        }
    }
}

/// An item at its place.
struct SnapshotItem {
    let feed: Int64
    let key: SortKey
    /// `nil` where the key tells it.
    let id: String?
    let codec: CodecID
    let storedAt: Int64
    let body: Data

    static let columns = "feed, key, id, codec, codec_version, stored_at, checksum, body"

    var checksum: Int64 {
        let columns = RowChecksum.ofSnapshot("item") { sum in
            sum.add(feed)
            sum.add(key)
            sum.add(id)
            sum.add(codec.name)
            sum.add(Int64(codec.version))
            sum.add(storedAt)
        }
        return columns ^ body.withUnsafeBytes(RowChecksum.ofBody)
    }

    init(feed: Int64, key: SortKey, id: String?, codec: CodecID, storedAt: Int64, body: Data) {
        self.feed = feed
        self.key = key
        self.id = id
        self.codec = codec
        self.storedAt = SnapshotLimits.times.clamping(storedAt)
        self.body = body
    }

    /// - Returns: `nil` for a row that does not prove itself.
    init?(_ row: borrowing Row, from first: Int32) throws {
        guard [0, 4, 5, 6].allSatisfy({ row.type(first + $0) == .integer }),
            row.type(first + 1) == .integer || row.type(first + 1) == .blob,
            row.type(first + 2) == .text || row.isNull(first + 2), row.type(first + 3) == .text,
            row.type(first + 7) == .blob, let version = Int(exactly: try row.int64(first + 4)),
            SnapshotLimits.times.contains(try row.int64(first + 5))
        else { return nil }
        self.init(
            feed: try row.int64(first), key: try row.sortKey(first + 1), id: try row.optionalText(first + 2),
            codec: CodecID(name: try row.text(first + 3), version: version), storedAt: try row.int64(first + 5),
            body: try row.data(first + 7))
        guard try row.int64(first + 6) == checksum else { return nil }
    }

    func insert(in db: borrowing Connection) throws {
        let sql = "INSERT INTO snapshot_item (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(key, at: 2)
            try statement.bind(id, at: 3)
            try statement.bind(codec.name, at: 4)
            try statement.bind(codec.version, at: 5)
            try statement.bind(storedAt, at: 6)
            try statement.bind(checksum, at: 7)
            try statement.bind(body, at: 8)
            try statement.run()
        }
    }

    /// The id that stands at this place of a feed in this order, or `nil` when none can.
    func id(in order: Paging.Order) -> ItemID? {
        switch (order, id, key) {
        case (.byID(let order), nil, .integer(let number)):
            return SortKey(ItemID(number), order: order) == key ? ItemID(number) : nil
        case (.byID(let order), let id?, .bytes):
            return SortKey(ItemID(id), order: order) == key ? ItemID(id) : nil
        case (.byPosition, let id?, .integer(let number)):
            return SnapshotLimits.positions.contains(number) ? ItemID(id) : nil
        default:
            return nil
        }
    }
}

/// A place to go on at.
struct SnapshotEdge {
    let feed: Int64
    var edge: FeedEdge

    static let columns =
        "feed, cut, stamp, kind, position, size, shift, is_apart, is_seam, etag, last_modified, checksum"

    /// - Returns: `nil` for an edge that only a cursor or link, or nothing, leads on from.
    init?(feed: Int64, edge: FeedEdge) {
        switch edge.continuation {
        case .page, .offset: break
        case nil where edge.isSeam || edge.isApart: break
        case .cursor, .link, nil: return nil
        }
        self.feed = feed
        self.edge = edge
        // What was in vain here says nothing of another day.
        self.edge.fruitless = 0
        self.edge.stall = nil
    }

    private var place: (kind: String?, number: Int?) {
        switch edge.continuation {
        case .page(let number): ("page", number)
        case .offset(let count): ("offset", count)
        case .cursor, .link, nil: (nil, nil)
        }
    }

    var checksum: Int64 {
        RowChecksum.ofSnapshot("edge") { sum in
            sum.add(feed)
            sum.add(blob: edge.cut.encoded)
            sum.add(edge.stamp)
            sum.add(place.kind)
            sum.add(place.number.map { Int64($0) })
            sum.add(Int64(edge.size))
            sum.add(Int64(edge.shift))
            sum.add(edge.isApart ? 1 : 0)
            sum.add(edge.isSeam ? 1 : 0)
            sum.add(edge.validators.etag)
            sum.add(edge.validators.lastModified)
        }
    }

    /// - Returns: `nil` for a row that does not prove itself.
    init?(_ row: borrowing Row, from first: Int32) throws {
        guard [0, 2, 5, 6, 7, 8, 11].allSatisfy({ row.type(first + $0) == .integer }), row.type(first + 1) == .blob,
            [3, 9, 10].allSatisfy({ row.type(first + $0) == .text || row.isNull(first + $0) }),
            row.type(first + 4) == .integer || row.isNull(first + 4), let cut = try row.cut(first + 1),
            let size = Int(exactly: try row.int64(first + 5)), FeedEdge.sizes.contains(size),
            let shift = Int(exactly: try row.int64(first + 6)), FeedEdge.shifts.contains(shift),
            SnapshotLimits.stamps.contains(try row.int64(first + 2))
        else { return nil }
        let number = try row.optionalInt64(first + 4).flatMap { Int(exactly: $0) }
        let continuation: Continuation?
        switch (try row.optionalText(first + 3), number) {
        case (nil, nil): continuation = nil
        case ("page", let number?): continuation = .page(number)
        case ("offset", let number?): continuation = .offset(number)
        default: return nil
        }
        feed = try row.int64(first)
        edge = FeedEdge(cut: cut, stamp: try row.int64(first + 2), continuation: continuation, size: size)
        edge.shift = shift
        edge.isApart = try row.bool(first + 7)
        edge.isSeam = try row.bool(first + 8)
        edge.validators = Validators(
            etag: try row.optionalText(first + 9), lastModified: try row.optionalText(first + 10))
        guard try row.int64(first + 11) == checksum else { return nil }
    }

    func insert(in db: borrowing Connection) throws {
        let sql = """
            INSERT INTO snapshot_edge (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(edge.cut.encoded, at: 2)
            try statement.bind(edge.stamp, at: 3)
            try statement.bind(place.kind, at: 4)
            try statement.bind(place.number, at: 5)
            try statement.bind(edge.size, at: 6)
            try statement.bind(edge.shift, at: 7)
            try statement.bind(edge.isApart, at: 8)
            try statement.bind(edge.isSeam, at: 9)
            try statement.bind(edge.validators.etag, at: 10)
            try statement.bind(edge.validators.lastModified, at: 11)
            try statement.bind(checksum, at: 12)
            try statement.run()
        }
    }
}

/// What stood around the items of an answer.
struct SnapshotEnvelope {
    let feed: Int64
    let stamp: Int64
    let body: Data

    static let columns = "feed, stamp, checksum, body"

    private var checksum: Int64 {
        let columns = RowChecksum.ofSnapshot("envelope") { sum in
            sum.add(feed)
            sum.add(stamp)
        }
        return columns ^ body.withUnsafeBytes(RowChecksum.ofBody)
    }

    init(feed: Int64, stamp: Int64, body: Data) {
        self.feed = feed
        self.stamp = stamp
        self.body = body
    }

    /// - Returns: `nil` for a row that does not prove itself.
    init?(_ row: borrowing Row, from first: Int32) throws {
        guard (0..<3).allSatisfy({ row.type(first + $0) == .integer }), row.type(first + 3) == .blob,
            SnapshotLimits.stamps.contains(try row.int64(first + 1))
        else { return nil }
        self.init(feed: try row.int64(first), stamp: try row.int64(first + 1), body: try row.data(first + 3))
        guard try row.int64(first + 2) == checksum else { return nil }
    }

    func insert(in db: borrowing Connection) throws {
        let sql = "INSERT INTO snapshot_envelope (\(Self.columns)) VALUES (?1, ?2, ?3, ?4)"
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(stamp, at: 2)
            try statement.bind(checksum, at: 3)
            try statement.bind(body, at: 4)
            try statement.run()
        }
    }
}
