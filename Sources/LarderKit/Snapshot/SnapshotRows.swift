import Foundation
import LarderSQLite

extension RowChecksum {
    /// The checksum of a row of a snapshot: of its table and of what `add` adds.
    static func ofSnapshot(_ table: String, _ add: (inout RowChecksum) -> Void) -> Int64 {
        var sum = RowChecksum(.snapshot)
        sum.add(table)
        add(&sum)
        return sum.value
    }
}

/// What a snapshot says of itself.
struct SnapshotAbout: Sendable {
    /// Milliseconds since 1970.
    var madeAt: Int64
    /// No stamp in it is later.
    var stamp: Int64
    var values = 0
    var feeds = 0
    var items = 0

    var checksum: Int64 {
        RowChecksum.ofSnapshot("about") { sum in
            for number in [madeAt, stamp, Int64(values), Int64(feeds), Int64(items)] { sum.add(number) }
        }
    }

    init(madeAt: Int64, stamp: Int64) {
        self.madeAt = madeAt
        self.stamp = stamp
    }

    static let columns = "made_at, stamp, value_count, feed_count, item_count, checksum"

    /// - Returns: `nil` for a row that does not prove itself.
    init?(_ row: borrowing Row, from first: Int32) throws {
        guard (0..<6).allSatisfy({ row.type(first + $0) == .integer }) else { return nil }
        self.init(madeAt: try row.int64(first), stamp: try row.int64(first + 1))
        let counts = try (2..<5).map { try row.int64(first + $0) }
        guard counts.allSatisfy({ (0...1 << 32).contains($0) }) else { return nil }
        (values, feeds, items) = (Int(clamping: counts[0]), Int(clamping: counts[1]), Int(clamping: counts[2]))
        guard SnapshotLimits.stamps.contains(stamp), try row.int64(first + 5) == checksum else { return nil }
    }

    func insert(in db: borrowing Connection) throws {
        let sql = "INSERT INTO snapshot_about (\(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        try db.withStatement(sql) { statement in
            try statement.bind(madeAt, at: 1)
            try statement.bind(stamp, at: 2)
            try statement.bind(values, at: 3)
            try statement.bind(feeds, at: 4)
            try statement.bind(items, at: 5)
            try statement.bind(checksum, at: 6)
            try statement.run()
        }
    }
}

/// What the numbers of a row may be, so that they can be added up without a thought, whoever wrote them.
enum SnapshotLimits {
    static let stamps: ClosedRange<Int64> = 0...1 << 62
    /// Milliseconds.
    static let times: ClosedRange<Int64> = -(1 << 52)...1 << 52
    static let positions: ClosedRange<Int64> = -(1 << 62)...1 << 62
    /// Bytes: SQLite holds a little more in a row.
    static let body = 900_000_000

    static func clamping(_ duration: Duration) -> Duration { .milliseconds(times.clamping(duration.milliseconds)) }
}

extension ClosedRange<Int64> {
    func clamping(_ number: Int64) -> Int64 { Swift.min(Swift.max(number, lowerBound), upperBound) }
}

/// A value under a key.
struct SnapshotValue {
    let key: StoreKey
    /// In the app's choice of a store that is not the database, a file.
    let isFile: Bool
    var entry: StoredEntry

    private var checksum: Int64 {
        let metadata = entry.metadata
        let columns = RowChecksum.ofSnapshot("value") { sum in
            sum.add(key.partition)
            sum.add(key.key)
            sum.add(isFile ? "file" : "database")
            sum.add(metadata.codec.name)
            sum.add(Int64(metadata.codec.version))
            sum.add(metadata.stamp)
            sum.add(metadata.storedAt.millisecondsSince1970)
            sum.add(metadata.lifetime?.milliseconds)
            sum.add(metadata.validators.etag)
            sum.add(metadata.validators.lastModified)
            sum.add(metadata.stale.whileRevalidate?.milliseconds)
            sum.add(metadata.stale.ifError?.milliseconds)
        }
        return columns ^ entry.body.withUnsafeBytes(RowChecksum.ofBody)
    }

    static let columns = """
        partition, key, place, codec, codec_version, stamp, stored_at, lifetime, etag, last_modified, \
        while_revalidate, if_error, checksum, body
        """

    init(key: StoreKey, isFile: Bool, entry: StoredEntry) {
        self.key = key
        self.isFile = isFile
        self.entry = entry
        let metadata = entry.metadata
        self.entry.metadata.stamp = SnapshotLimits.stamps.clamping(metadata.stamp)
        self.entry.metadata.lifetime = metadata.lifetime.map(SnapshotLimits.clamping)
        self.entry.metadata.stale = StaleWindows(
            whileRevalidate: metadata.stale.whileRevalidate.map(SnapshotLimits.clamping),
            ifError: metadata.stale.ifError.map(SnapshotLimits.clamping))
    }

    /// - Returns: `nil` for a row that does not prove itself.
    init?(_ row: borrowing Row, from first: Int32) throws {
        guard (0..<4).allSatisfy({ row.type(first + $0) == .text }),
            [4, 5, 6, 12].allSatisfy({ row.type(first + $0) == .integer }),
            [7, 10, 11].allSatisfy({ row.type(first + $0) == .integer || row.isNull(first + $0) }),
            [8, 9].allSatisfy({ row.type(first + $0) == .text || row.isNull(first + $0) }),
            row.type(first + 13) == .blob, let version = Int(exactly: try row.int64(first + 4))
        else { return nil }
        let storedAt = try row.int64(first + 6)
        let durations = try [7, 10, 11].map { try row.optionalInt64(first + $0) }
        guard SnapshotLimits.times.contains(storedAt), SnapshotLimits.stamps.contains(try row.int64(first + 5)),
            durations.allSatisfy({ $0.map(SnapshotLimits.times.contains) ?? true })
        else { return nil }
        key = StoreKey(partition: try row.text(first), key: try row.text(first + 1))
        switch try row.text(first + 2) {
        case "database": isFile = false
        case "file": isFile = true
        default: return nil
        }
        let spans = durations.map { $0.map { Duration.milliseconds($0) } }
        let metadata = EntryMetadata(
            codec: CodecID(name: try row.text(first + 3), version: version), stamp: try row.int64(first + 5),
            storedAt: Date(millisecondsSince1970: storedAt), lifetime: spans[0],
            validators: Validators(
                etag: try row.optionalText(first + 8), lastModified: try row.optionalText(first + 9)),
            stale: StaleWindows(whileRevalidate: spans[1], ifError: spans[2]))
        entry = StoredEntry(body: try row.data(first + 13), metadata: metadata)
        guard try row.int64(first + 12) == checksum else { return nil }
    }

    func insert(in db: borrowing Connection) throws {
        let sql = """
            INSERT INTO snapshot_value (\(Self.columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """
        let metadata = entry.metadata
        try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            try statement.bind(isFile ? "file" : "database", at: 3)
            try statement.bind(metadata.codec.name, at: 4)
            try statement.bind(metadata.codec.version, at: 5)
            try statement.bind(metadata.stamp, at: 6)
            try statement.bind(metadata.storedAt.millisecondsSince1970, at: 7)
            try statement.bind(metadata.lifetime?.milliseconds, at: 8)
            try statement.bind(metadata.validators.etag, at: 9)
            try statement.bind(metadata.validators.lastModified, at: 10)
            try statement.bind(metadata.stale.whileRevalidate?.milliseconds, at: 11)
            try statement.bind(metadata.stale.ifError?.milliseconds, at: 12)
            try statement.bind(checksum, at: 13)
            try statement.bind(entry.body, at: 14)
            try statement.run()
        }
    }
}

/// A feed as a whole.
struct SnapshotFeed {
    let id: Int64
    let place: StoreKey
    let paging: String
    var latest: Int64
    let largestPage: Int
    let kind: String?
    /// How many edges it has, and what their checksums add up to: a seam that is lost would not be told of.
    var edges = SnapshotSum()

    static let columns = "partition, name, paging, latest, largest_page, kind, edge_count, edge_sum, checksum"

    private var checksum: Int64 {
        RowChecksum.ofSnapshot("feed") { sum in
            sum.add(id)
            sum.add(place.partition)
            sum.add(place.key)
            sum.add(paging)
            sum.add(latest)
            sum.add(Int64(largestPage))
            sum.add(kind)
            sum.add(edges.count)
            sum.add(edges.sum)
        }
    }

    init(id: Int64, place: StoreKey, row: FeedRow) {
        self.id = id
        self.place = place
        paging = row.paging
        latest = row.latest
        largestPage = row.largestPage
        kind = row.kind
    }

    /// - Returns: `nil` for a row that does not prove itself.
    init?(_ row: borrowing Row, id: Int64, from first: Int32) throws {
        guard (0..<3).allSatisfy({ row.type(first + $0) == .text }),
            [3, 4, 6, 7, 8].allSatisfy({ row.type(first + $0) == .integer }),
            row.type(first + 5) == .text || row.isNull(first + 5),
            SnapshotLimits.stamps.contains(try row.int64(first + 3)), (0...1 << 24).contains(try row.int64(first + 4))
        else { return nil }
        self.id = id
        place = StoreKey(partition: try row.text(first), key: try row.text(first + 1))
        paging = try row.text(first + 2)
        latest = try row.int64(first + 3)
        largestPage = try row.int(first + 4)
        kind = try row.optionalText(first + 5)
        edges = SnapshotSum(count: try row.int64(first + 6), sum: try row.int64(first + 7))
        guard try row.int64(first + 8) == checksum else { return nil }
    }

    func insert(in db: borrowing Connection) throws {
        let sql = """
            INSERT INTO snapshot_feed (id, \(Self.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """
        try db.withStatement(sql) { statement in
            try statement.bind(id, at: 1)
            try statement.bind(place.partition, at: 2)
            try statement.bind(place.key, at: 3)
            try statement.bind(paging, at: 4)
            try statement.bind(latest, at: 5)
            try statement.bind(largestPage, at: 6)
            try statement.bind(kind, at: 7)
            try statement.bind(edges.count, at: 8)
            try statement.bind(edges.sum, at: 9)
            try statement.bind(checksum, at: 10)
            try statement.run()
        }
    }
}

/// How many rows there are, and what their checksums add up to, in whatever order they come.
struct SnapshotSum: Sendable, Hashable {
    var count: Int64 = 0
    var sum: Int64 = 0

    mutating func add(_ checksum: Int64) {
        count += 1
        sum ^= checksum
    }
}
