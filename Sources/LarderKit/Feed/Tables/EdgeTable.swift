import LarderSQLite

/// The edges of one feed, as rows: what its server gave to go on with.
struct EdgeTable {
    let feed: Int64

    private static let columns =
        "cut, stamp, kind, token, position, size, shift, fruitless, stall, is_apart, is_seam, etag, last_modified, checksum"

    /// The lowest edge at or above a cut.
    func lowest(atOrAbove cut: Cut, in db: borrowing Connection) throws -> FeedEdge? {
        try first("feed = ?1 AND cut >= ?2 ORDER BY cut", cut, in: db)
    }

    func edge(at cut: Cut, in db: borrowing Connection) throws -> FeedEdge? {
        try first("feed = ?1 AND cut = ?2", cut, in: db)
    }

    private func first(_ condition: String, _ cut: Cut, in db: borrowing Connection) throws -> FeedEdge? {
        try db.withStatement("SELECT \(Self.columns) FROM larder_edge WHERE \(condition)") { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(cut.encoded, at: 2)
            // A row that cannot be read leads nowhere, and hides none further up.
            while try statement.step() {
                if let edge = try statement.row.edge(of: feed) { return edge }
            }
            return nil
        }
    }

    /// Whether a cursor or a link is what the server gave to go on with at an edge above a cut.
    ///
    /// - Complexity: O(number of edges above the cut).
    func leadsUp(_ continuation: Continuation, from cut: Cut, in db: borrowing Connection) throws -> Bool {
        guard let token = continuation.columns.token else { return false }
        let sql = "SELECT 1 FROM larder_edge WHERE feed = ?1 AND cut > ?2 AND token = ?3 LIMIT 1"
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(cut.encoded, at: 2)
            try statement.bind(token, at: 3)
            return try statement.step()
        }
    }

    /// How many seams lie strictly within a span.
    func seams(in span: Span, in db: borrowing Connection) throws -> Int {
        let sql = "SELECT count(*) FROM larder_edge WHERE feed = ?1 AND cut > ?2 AND cut < ?3 AND is_seam"
        return try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(span.low.encoded, at: 2)
            try statement.bind(span.high.encoded, at: 3)
            return try statement.step() ? try statement.row.int(0) : 0
        }
    }

    func save(_ edge: FeedEdge, in db: borrowing Connection) throws {
        let sql = """
            INSERT OR REPLACE INTO larder_edge (feed, \(Self.columns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(edge.cut.encoded, at: 2)
            try statement.bind(edge.stamp, at: 3)
            let columns = edge.continuation?.columns
            try statement.bind(columns?.kind, at: 4)
            try statement.bind(columns?.token, at: 5)
            try statement.bind(columns?.position, at: 6)
            try statement.bind(edge.size, at: 7)
            try statement.bind(edge.shift, at: 8)
            try statement.bind(min(edge.fruitless, FeedEdge.fruitlessCounts.upperBound), at: 9)
            try statement.bind(edge.stall?.rawValue, at: 10)
            try statement.bind(edge.isApart, at: 11)
            try statement.bind(edge.isSeam, at: 12)
            try statement.bind(edge.validators.etag, at: 13)
            try statement.bind(edge.validators.lastModified, at: 14)
            try statement.bind(edge.checksum(in: feed), at: 15)
            try statement.run()
        }
    }

    func remove(_ mark: EdgeMark, in db: borrowing Connection) throws {
        try run("DELETE FROM larder_edge WHERE feed = ?1 AND cut = ?2 AND stamp = ?3", in: db) { statement in
            try statement.bind(mark.cut.encoded, at: 2)
            try statement.bind(mark.stamp, at: 3)
        }
    }

    func removeAll(in db: borrowing Connection) throws {
        try run("DELETE FROM larder_edge WHERE feed = ?1", in: db) { _ in }
    }

    /// Forgets the edges strictly within a span of which an answer has spoken.
    func remove(in span: Span, before stamp: Int64, in db: borrowing Connection) throws {
        let sql = "DELETE FROM larder_edge WHERE feed = ?1 AND cut > ?2 AND cut < ?3 AND stamp < ?4"
        try run(sql, in: db) { statement in
            try statement.bind(span.low.encoded, at: 2)
            try statement.bind(span.high.encoded, at: 3)
            try statement.bind(stamp, at: 4)
        }
    }

    /// The same, and the edge at the span's lower end.
    func remove(inAndBelow span: Span, before stamp: Int64, in db: borrowing Connection) throws {
        try remove(in: span, before: stamp, in: db)
        if let end = try edge(at: span.low, in: db), end.stamp < stamp { try remove(end.mark, in: db) }
    }

    /// Tells the edges below a cut, of answers up to `stamp`, that so many items have come in above them.
    func shift(by count: Int, below cut: Cut, before stamp: Int64, in db: borrowing Connection) throws {
        let sql = """
            UPDATE larder_edge SET shift = max(?5, min(?6, shift + ?3))
            WHERE feed = ?1 AND cut < ?2 AND stamp <= ?4 AND position IS NOT NULL
            """
        try run(sql, in: db) { statement in
            try statement.bind(cut.encoded, at: 2)
            try statement.bind(count, at: 3)
            try statement.bind(stamp, at: 4)
            try statement.bind(FeedEdge.shifts.lowerBound, at: 5)
            try statement.bind(FeedEdge.shifts.upperBound, at: 6)
        }
    }

    /// Forgets what an empty first page brought.
    func removeTop(before stamp: Int64, in db: borrowing Connection) throws {
        try run("DELETE FROM larder_edge WHERE feed = ?1 AND cut = ?2 AND stamp < ?3", in: db) { statement in
            try statement.bind(Cut.top.encoded, at: 2)
            try statement.bind(stamp, at: 3)
        }
    }

    /// Gives edges that were given up another chance, and lets all begin again to count what is fruitless.
    func revive(in db: borrowing Connection) throws {
        try run("DELETE FROM larder_edge WHERE feed = ?1 AND stall IS NOT NULL AND kind IS NULL", in: db) { _ in }
        let sql = """
            UPDATE larder_edge SET stall = NULL, fruitless = 0
            WHERE feed = ?1 AND kind IS NOT NULL AND (stall IS NOT NULL OR fruitless > 0)
            """
        try run(sql, in: db) { _ in }
    }

    private func run(
        _ sql: String, in db: borrowing Connection, _ bind: (borrowing Statement) throws -> Void
    ) throws {
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try bind(statement)
            try statement.run()
        }
    }
}

extension EdgeTable {
    /// The cuts of all edges, lowest first.
    func cuts(in db: borrowing Connection) throws -> [Cut] {
        try db.withStatement("SELECT cut FROM larder_edge WHERE feed = ?1 ORDER BY cut") { statement in
            try statement.bind(feed, at: 1)
            return try statement.collect { row in try row.cut(0) }.compactMap { $0 }
        }
    }

    /// Moves the edges to other cuts, in the order of the two lists, which are both sorted.
    func move(from old: [Cut], to new: [Cut], in db: borrowing Connection) throws {
        // One that would take another's place for a moment waits at a cut that nobody has.
        let waiting = new.map { [0xFE] + $0.encoded }
        for (from, to) in zip(old.map(\.encoded), waiting) {
            try run("UPDATE larder_edge SET cut = ?3 WHERE feed = ?1 AND cut = ?2", in: db) { statement in
                try statement.bind(from, at: 2)
                try statement.bind(to, at: 3)
            }
        }
        for (index, cut) in new.enumerated() {
            // A row that is damaged leads nowhere at its new place either.
            let sql = "SELECT \(Self.columns) FROM larder_edge WHERE feed = ?1 AND cut = ?2"
            let moved = try db.withStatement(sql) { statement -> FeedEdge? in
                try statement.bind(feed, at: 1)
                try statement.bind(waiting[index], at: 2)
                return try statement.step() ? try statement.row.edge(of: feed, at: old[index]) : nil
            }
            try run("DELETE FROM larder_edge WHERE feed = ?1 AND cut = ?2", in: db) { statement in
                try statement.bind(waiting[index], at: 2)
            }
            guard var moved else { continue }
            moved.cut = cut
            try save(moved, in: db)
        }
    }
}

extension FeedEdge {
    /// The checksum of its row: of where it is and what it leads to. What counts attempts is not in it.
    func checksum(in feed: Int64) -> Int64 {
        var sum = RowChecksum(.edge)
        sum.add(feed)
        sum.add(blob: cut.encoded)
        sum.add(stamp)
        let columns = continuation?.columns
        sum.add(columns?.kind)
        sum.add(columns?.token)
        sum.add((columns?.position).map { Int64($0) })
        sum.add(Int64(size))
        sum.add(isApart ? 1 : 0)
        sum.add(isSeam ? 1 : 0)
        sum.add(validators.etag)
        sum.add(validators.lastModified)
        return sum.value
    }
}

extension Continuation {
    fileprivate var columns: (kind: String, token: String?, position: Int?) {
        switch self {
        case .cursor(let token): ("cursor", token, nil)
        case .link(let target): ("link", target, nil)
        case .page(let number): ("page", nil, number)
        case .offset(let count): ("offset", nil, count)
        }
    }

    fileprivate init?(kind: String?, token: String?, position: Int?) {
        switch (kind, token, position) {
        case ("cursor", let token?, _): self = .cursor(token)
        case ("link", let target?, _): self = .link(target)
        case ("page", _, let number?): self = .page(number)
        case ("offset", _, let count?): self = .offset(count)
        default: return nil
        }
    }
}

extension Row {
    /// The edge in the columns of ``EdgeTable``, or `nil` when they hold none, or are damaged.
    ///
    /// - Parameter place: Where it is, if that is not what the row says for the moment.
    fileprivate func edge(of feed: Int64, at place: Cut? = nil) throws -> FeedEdge? {
        guard type(0) == .blob, [1, 5, 6, 7, 9, 10].allSatisfy({ type($0) == .integer }),
            [2, 3, 8, 11, 12].allSatisfy({ type($0) == .text || isNull($0) }), type(4) == .integer || isNull(4),
            let cut = try place ?? cut(0)
        else { return nil }
        let numbers = (size: try int(5), shift: try int(6), fruitless: try int(7))
        guard FeedEdge.sizes.contains(numbers.size), FeedEdge.shifts.contains(numbers.shift),
            FeedEdge.fruitlessCounts.contains(numbers.fruitless)
        else { return nil }
        let continuation = Continuation(
            kind: try optionalText(2), token: try optionalText(3), position: try optionalInt(4))
        var edge = FeedEdge(cut: cut, stamp: try int64(1), continuation: continuation, size: numbers.size)
        edge.shift = numbers.shift
        edge.fruitless = numbers.fruitless
        edge.stall = try optionalText(8).flatMap { StallReason(rawValue: $0) }
        edge.isApart = try bool(9)
        edge.isSeam = try bool(10)
        edge.validators = Validators(etag: try optionalText(11), lastModified: try optionalText(12))
        return try readableInt64(13) == edge.checksum(in: feed) ? edge : nil
    }
}
