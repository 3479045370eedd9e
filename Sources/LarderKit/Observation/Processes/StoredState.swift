import LarderSQLite

/// What a cache holds at one moment, as far as it takes to tell later what has changed: no bytes, and no more than a digest of
/// each value and feed.
///
/// Of a cache with very many values, only the sum of them is kept: then a value that came is known by its stamp, and that some
/// were removed or said to be stale by the sum.
struct StoredState: Sendable {
    /// More values than this are not kept one by one.
    static let limit = 50_000

    private struct Values {
        /// `nil` where there are too many.
        var digests: [StoreKey: Int]? = [:]
        var latest = Int64.min
        var count = 0
        var sum = 0
        /// Those with a greater stamp than was asked for.
        var later: [StoreKey] = []
    }

    private var values = Values()
    private var feeds: [StoreKey: Int] = [:]
    private var generations: [String: Int64] = [:]

    /// Reads it in the snapshot at hand.
    ///
    /// - Parameters:
    ///   - earlier: What it will be compared with, if with anything.
    /// - Complexity: O(number of values and items), without their bytes.
    init(_ db: borrowing Connection, after earlier: StoredState? = nil, limit: Int = StoredState.limit) throws {
        try db.withStatement(Self.valueSQL) { statement in
            while try statement.step() {
                try add(statement.row, laterThan: earlier?.values.latest, limit: limit)
            }
        }
        try db.withStatement("\(Self.feedSQL) GROUP BY feed.id") { statement in
            while try statement.step() { try addFeed(statement.row) }
        }
        try db.withStatement("SELECT name, generation FROM larder_partition") { statement in
            while try statement.step() { generations[try statement.row.text(0)] = try statement.row.int64(1) }
        }
    }

    private mutating func add(_ row: borrowing Row, laterThan latest: Int64?, limit: Int) throws {
        let key = StoreKey(partition: try row.text(0), key: try row.text(1))
        let stamp = try row.int64(2)
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(stamp)
        hasher.combine(try row.int64(3))
        hasher.combine(try row.optionalInt64(4))
        let digest = hasher.finalize()
        values.count += 1
        values.sum &+= digest
        values.latest = max(values.latest, stamp)
        values.digests?[key] = digest
        if values.count > limit { values.digests = nil }
        if let latest, stamp > latest, values.later.count <= ChangeListener.limit { values.later.append(key) }
    }

    private mutating func addFeed(_ row: borrowing Row) throws {
        var hasher = Hasher()
        for column in Int32(2)...5 { hasher.combine(try row.int64(column)) }
        hasher.combine(try row.optionalInt64(6))
        for column in Int32(7)...8 { hasher.combine(try row.double(column)) }
        feeds[StoreKey(partition: try row.text(0), key: try row.text(1))] = hasher.finalize()
    }

    private static let valueSQL = "SELECT partition, key, stamp, stored_at, lifetime FROM larder_entry"
    private static let feedSQL = """
        SELECT feed.partition, feed.name, feed.id, feed.latest,
            (SELECT count(*) FROM larder_feed_item AS item WHERE item.feed = feed.id),
            count(part.feed), max(part.stamp), total(part.stamp), total(part.lifetime)
        FROM larder_feed AS feed LEFT JOIN larder_segment AS part ON part.feed = feed.id
        """

    /// The same with these as they are in the snapshot at hand.
    func renewed(_ subjects: Set<LarderChange.Subject>, in db: borrowing Connection) throws -> StoredState {
        guard values.digests != nil else { return try StoredState(db) }
        var renewed = self
        for subject in subjects {
            switch subject {
            case .resource(let key):
                renewed.values.digests?[key] = nil
                try Self.each(of: key, "\(Self.valueSQL) WHERE partition = ?1 AND key = ?2", in: db) { row in
                    try renewed.add(row, laterThan: nil, limit: .max)
                }
            case .feed(let key):
                renewed.feeds[key] = nil
                try Self.each(of: key, "\(Self.feedSQL) WHERE partition = ?1 AND name = ?2 GROUP BY feed.id", in: db) {
                    try renewed.addFeed($0)
                }
            case .partition, .everything:
                return try StoredState(db)
            }
        }
        return renewed
    }

    private static func each(
        of key: StoreKey, _ sql: String, in db: borrowing Connection, _ body: (borrowing Row) throws -> Void
    ) throws {
        try db.withStatement(sql) { statement in
            try statement.bind(key.partition, at: 1)
            try statement.bind(key.key, at: 2)
            while try statement.step() { try body(statement.row) }
        }
    }

    /// What is another one than it was in `earlier`.
    func changes(since earlier: StoredState) -> [LarderChange.Subject] {
        // What was signed out of is told once, and not for each thing that was removed.
        let partitions = generations.filter { earlier.generations[$0.key] != $0.value }.keys.sorted()
        let over = Set(partitions.map { StoreKey(partition: $0, key: "") })
        let isOver = { (key: StoreKey) in over.contains(StoreKey(partition: key.partition, key: "")) }
        let feeds = Self.difference(feeds, earlier.feeds).filter { !isOver($0) }
        var changes = partitions.map { LarderChange.Subject.partition($0) } + feeds.map { .feed($0) }
        if let digests = values.digests, let past = earlier.values.digests {
            changes += Self.difference(digests, past).filter { !isOver($0) }.map { .resource($0) }
        } else if values.later.count > ChangeListener.limit {
            changes.append(.everything)
        } else {
            changes += values.later.map { .resource($0) }
            // Something else was removed, or is said to be stale: which, would have to be known one by one.
            if values.later.isEmpty, partitions.isEmpty, values.sum != earlier.values.sum {
                changes.append(.everything)
            }
        }
        return changes
    }

    private static func difference(_ present: [StoreKey: Int], _ past: [StoreKey: Int]) -> [StoreKey] {
        let changed = present.filter { past[$0.key] != $0.value }.keys
        return (Array(changed) + past.keys.filter { present[$0] == nil })
            .sorted { ($0.partition, $0.key) < ($1.partition, $1.key) }
    }
}
