import Foundation
import LarderSQLite

/// What stood around the items of a feed's answers, by the answers' stamps: kept as long as something of an answer is the
/// latest word on a stretch of the feed.
struct EnvelopeTable {
    let feed: Int64

    func save(_ body: Data, stamp: Stamp, in db: borrowing Connection) throws {
        let sql = "INSERT OR REPLACE INTO larder_envelope (feed, stamp, body, checksum) VALUES (?1, ?2, ?3, ?4)"
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.bind(stamp.order, at: 2)
            try statement.bind(body, at: 3)
            try statement.bind(checksum(body, stamp: stamp.order), at: 4)
            try statement.run()
        }
    }

    /// Forgets those of answers of which nothing is left.
    ///
    /// - Complexity: O(number of answers the feed's proofs rest on).
    func sweep(in db: borrowing Connection) throws {
        let sql = """
            DELETE FROM larder_envelope
            WHERE feed = ?1 AND stamp NOT IN (SELECT stamp FROM larder_segment WHERE feed = ?1)
            """
        try db.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            try statement.run()
        }
    }

    func removeAll(in db: borrowing Connection) throws {
        try db.withStatement("DELETE FROM larder_envelope WHERE feed = ?1") { statement in
            try statement.bind(feed, at: 1)
            try statement.run()
        }
    }

    /// Those that are there and not damaged.
    func bodies(of stamps: [Stamp], in db: borrowing Connection) throws -> [Data] {
        var seen: Set<Int64> = []
        return try stamps.filter { seen.insert($0.order).inserted }.compactMap { stamp in
            let sql = "SELECT body, checksum FROM larder_envelope WHERE feed = ?1 AND stamp = ?2"
            return try db.withStatement(sql) { statement in
                try statement.bind(feed, at: 1)
                try statement.bind(stamp.order, at: 2)
                guard try statement.step(), statement.row.type(0) == .blob else { return nil }
                let body = try statement.row.data(0)
                return try statement.row.readableInt64(1) == checksum(body, stamp: stamp.order) ? body : nil
            }
        }
    }

    func checksum(_ body: Data, stamp: Int64) -> Int64 {
        var sum = RowChecksum(.envelope)
        sum.add(feed)
        sum.add(stamp)
        body.withUnsafeBytes { sum.add(blob: $0) }
        return sum.value
    }
}
