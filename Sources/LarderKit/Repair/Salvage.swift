import Foundation
import LarderSQLite

/// Puts what is readable of a damaged database into a new one.
///
/// Rows of the tables that are served, or that something is concluded from, have to prove themselves by their checksums, and
/// are then taken from wherever they lie. The others are taken from their own tables alone.
struct Salvage {
    let image: DatabaseImage?
    let shapes: [TableShape]
    /// Throws where nobody wants it any more.
    let check: () throws -> Void

    /// What became of the tables.
    private struct State {
        var incomplete: Set<String> = []
        var kept: [String: Int] = [:]
        var lost: [String: Int] = [:]
        /// What the damaged rows of feeds say of who they are: id, partition, name.
        var damagedFeeds: Set<[SQLValue]> = []
        var codecs = CodecSearch()
    }

    func run(into db: borrowing Connection, _ report: inout RepairReport) throws {
        var state = State()
        try readTables(into: db, &state)
        if let image, !isOlder(image) {
            try readStrangers(image, into: db, &state)
            try recover(image, into: db, &state)
        }
        try removeStrays(in: db, &state)
        let knowledge = try ItemIndex(image: image).compare(in: db)
        let areItemsWhole = !state.incomplete.contains("larder_feed_item") && state.lost["larder_feed_item"] == nil
        let arePlacesLost = !knowledge.isComplete && !areItemsWhole
        for feed in try db.query("SELECT id FROM larder_feed", { try $0.int64(0) }) {
            try check()
            let dropsProofs = arePlacesLost || knowledge.misses.contains(feed)
            let unknown = knowledge.isComplete ? try ItemIndex.differences(of: feed, in: db) : []
            report.gaps += try ProofSettling(feed: feed).run(unknown: unknown, dropsProofs: dropsProofs, in: db)
            if dropsProofs { report.feedsWithoutProof += 1 }
        }
        if knowledge.isComplete {
            state.lost["larder_feed_item"] = max(knowledge.lost, state.lost["larder_feed_item"] ?? 0)
        }
        try db.executeScript("DROP TABLE IF EXISTS temp.larder_known_item")
        try SessionSettling(incomplete: state.incomplete).run(in: db, &report)
        report.kept = state.kept.filter { $0.value > 0 }
        report.lost = state.lost.filter { $0.value > 0 }
        report.droppedTables = strangers.count { $0.sql?.hasPrefix("CREATE TABLE larder_") == false }
    }

    /// Rows of versions that knew no checksums prove nothing.
    private func isOlder(_ image: DatabaseImage) -> Bool {
        guard let version = image.userVersion else { return false }
        return version < UInt32(Schema.version) && !image.schema.contains { $0.name == "larder_pin" }
    }

    private func readTables(into db: borrowing Connection, _ state: inout State) throws {
        for shape in shapes {
            guard let image, !isOlder(image),
                let root = image.schema.first(where: { $0.type == "table" && $0.name == shape.name })?.rootPage
            else {
                state.incomplete.insert(shape.name)
                continue
            }
            let verdict = try read(image, root, shape.hasRowIDs) { row in
                try check()
                let values = shape.values(of: row)
                if let values, shape.proof?.isSound(values) ?? true {
                    return try insert(values, of: shape, into: db, &state)
                }
                // Its page may have been put in the place of another.
                if try take(row, into: db, &state) { return }
                state.lost[shape.name, default: 0] += 1
                if shape.name == "larder_feed", let values { state.damagedFeeds.insert(Array(values.prefix(3))) }
            }
            if !verdict.isComplete { state.incomplete.insert(shape.name) }
            state.lost[shape.name, default: 0] += verdict.damagedRows
        }
        state.lost = state.lost.filter { $0.value > 0 }
    }

    private func read(
        _ image: DatabaseImage, _ root: UInt32, _ hasRowIDs: Bool, _ body: (SalvagedRow) throws -> Void
    ) throws -> TreeVerdict {
        try hasRowIDs ? image.rows(ofTableRootedAt: root, body) : image.entries(ofIndexRootedAt: root, body)
    }

    /// Tables of other names: an app's own, or one whose name is damaged.
    private var strangers: [SchemaRow] {
        let names = Set(shapes.map(\.name))
        return image?.schema.filter { row in
            row.type == "table" && !names.contains(row.name) && !row.name.hasPrefix("sqlite_")
        } ?? []
    }

    /// Takes the rows that prove themselves from wherever they lie.
    private func readStrangers(_ image: DatabaseImage, into db: borrowing Connection, _ state: inout State) throws {
        for stranger in strangers where stranger.rootPage > 0 {
            for hasRowIDs in [true, false] {
                _ = try read(image, stranger.rootPage, hasRowIDs) { _ = try take($0, into: db, &state) }
            }
        }
        _ = try image.orphans { row in
            if try !take(row, into: db, &state) { state.codecs.look(at: row) }
        }
    }

    /// - Returns: Whether the row proves itself to be one of some table.
    private func take(_ row: SalvagedRow, into db: borrowing Connection, _ state: inout State) throws -> Bool {
        try check()
        for shape in shapes {
            guard let proof = shape.proof, let values = shape.values(of: row), proof.isSound(values) else { continue }
            try insert(values, of: shape, into: db, &state)
            return true
        }
        return false
    }

    /// Of two rows with one key, the later one is kept.
    private func insert(
        _ values: [SQLValue], of shape: TableShape, into db: borrowing Connection, _ state: inout State
    ) throws {
        if let older = Self.older[shape.name] {
            let arguments = older.columns.compactMap { shape.index(of: $0) }.map { values[$0] }
            try db.execute(SQL(raw: older.sql, arguments: arguments))
            state.kept[shape.name, default: 0] -= db.changes
        }
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        let sql = "INSERT OR IGNORE INTO \(shape.name) (\(shape.columns.joined(separator: ", "))) VALUES (\(marks))"
        try db.execute(SQL(raw: sql, arguments: values))
        state.kept[shape.name, default: 0] += db.changes
    }

    private static let older: [String: (sql: String, columns: [String])] = [
        "larder_entry": (
            "DELETE FROM larder_entry WHERE partition = ? AND key = ? AND stamp < ?", ["partition", "key", "stamp"]
        ),
        "larder_feed_item": (
            "DELETE FROM larder_feed_item WHERE feed = ? AND key = ? AND stored_at < ?", ["feed", "key", "stored_at"]
        ),
    ]

    /// What the table of codecs and that of feeds have lost is in their indexes as well.
    private func recover(_ image: DatabaseImage, into db: borrowing Connection, _ state: inout State) throws {
        func entries(_ index: String, _ body: ([SQLValue]) throws -> Void) throws {
            guard let root = image.schema.first(where: { $0.name == index })?.rootPage else { return }
            var rows: [[SQLValue]] = []
            // Where the index is damaged itself, nothing vouches for what it says.
            guard image.entries(ofIndexRootedAt: root, { rows.append($0.values) }).isComplete else { return }
            for row in rows where row.count == 3 { try body(row) }
        }
        if state.incomplete.contains("larder_codec") {
            try entries("sqlite_autoindex_larder_codec_1") { row in
                try db.execute(
                    "INSERT OR IGNORE INTO larder_codec (name, version, id) VALUES (\(row[0]), \(row[1]), \(row[2]))")
                state.kept["larder_codec", default: 0] += db.changes
            }
            for (id, codec) in state.codecs.found {
                try db.execute(
                    "INSERT OR IGNORE INTO larder_codec (id, name, version) VALUES (\(id), \(codec.name), \(codec.version))"
                )
                state.kept["larder_codec", default: 0] += db.changes
            }
            // A number that is not listed any more may be known to a process, and must not get another meaning.
            let next = Date().millisecondsSince1970 / 1000
            try db.execute("INSERT OR IGNORE INTO larder_codec (id, name, version) VALUES (\(next), '', \(next))")
        }
        guard state.incomplete.contains("larder_feed") || state.lost["larder_feed"] != nil else { return }
        try entries("sqlite_autoindex_larder_feed_1") { row in
            guard case .text(let partition) = row[0], case .text(let name) = row[1], case .integer(let id) = row[2]
            else {
                return
            }
            // Where a row does not fit its checksum and the index says the same as the row, both are doubtful.
            if state.damagedFeeds.contains([row[2], row[0], row[1]]) { return }
            let checksum = FeedRow.checksum(id, partition: partition, name: name)
            let paging = try PagingGuess.fingerprint(feed: id, in: db)
            try db.execute(
                """
                INSERT OR IGNORE INTO larder_feed (id, partition, name, paging, checksum)
                VALUES (\(id), \(partition), \(name), \(paging), \(checksum))
                """)
            guard db.changes > 0 else { return }
            state.kept["larder_feed", default: 0] += 1
            // Of what order its items are proven to be is not known.
            try SegmentTable(feed: id).removeAll(in: db)
            try EdgeTable(feed: id).removeAll(in: db)
        }
    }

    private func removeStrays(in db: borrowing Connection, _ state: inout State) throws {
        // Before any feed goes: no feed gets a number that another one had.
        let sql: SQL = """
            SELECT coalesce(max(number), 0) FROM (
                SELECT max(id) AS number FROM larder_feed UNION ALL SELECT max(feed) FROM larder_feed_item
                UNION ALL SELECT max(feed) FROM larder_segment UNION ALL SELECT max(feed) FROM larder_edge)
            """
        let greatest = max(try db.first(sql) { try $0.int64(0) } ?? 0, greatestFeed())
        // Past the numbers of feeds of which nothing is left.
        let next = min(max(0, greatest), 1 << 50) + (state.incomplete.contains("larder_feed") ? 1 << 20 : 0)
        try db.execute("DELETE FROM sqlite_sequence WHERE name = 'larder_feed'")
        try db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('larder_feed', \(next))")
        for stray in RowCheck.strays {
            try db.execute(SQL(raw: "DELETE FROM \(stray.table) WHERE \(stray.condition)"))
            guard db.changes > 0 else { continue }
            state.lost[stray.table, default: 0] += db.changes
            state.kept[stray.table, default: 0] -= db.changes
        }
    }

    /// The last number that the damaged file has given to a feed, as it says.
    private func greatestFeed() -> Int64 {
        guard let image, let root = image.schema.first(where: { $0.name == "sqlite_sequence" })?.rootPage else {
            return 0
        }
        var greatest: Int64 = 0
        _ = image.rows(ofTableRootedAt: root) { row in
            if row.values.count == 2, row.values[0] == .text("larder_feed"), case .integer(let number) = row.values[1] {
                greatest = number
            }
        }
        return greatest
    }
}
