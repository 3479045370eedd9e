import CBaseline
import Foundation
import LarderSQLite

/// The same rows as raw C's through LarderSQLite alone, in its own settings: what a feed's work rests on.
struct RowStore {
    private let database: Database

    init(_ file: URL) throws {
        database = try Database(.file(file.path))
        try database.writeSync { db in
            try db.execute(
                "CREATE TABLE items (feed INTEGER NOT NULL, id INTEGER NOT NULL, body BLOB NOT NULL, UNIQUE (feed, id))"
            )
            try db.execute("CREATE TABLE entries (key TEXT NOT NULL UNIQUE, value BLOB NOT NULL)")
        }
    }

    func close() {
        database.close()
    }

    /// Moves the log into the file.
    func settle() async throws {
        try await database.checkpoint(.truncate)
    }

    /// Items in one transaction, oldest first.
    func upsert(_ items: Items) throws {
        try database.writeSync { db in
            let sql = """
                INSERT INTO items (feed, id, body) VALUES (?1, ?2, ?3)
                ON CONFLICT (feed, id) DO UPDATE SET body = excluded.body
                """
            try db.withStatement(sql) { statement in
                for index in 0..<items.count {
                    let item = items[index]
                    try statement.bind(1, at: 1)
                    try statement.bind(item.id, at: 2)
                    try statement.bind(UnsafeRawBufferPointer(start: item.body, count: Int(item.length)), at: 3)
                    try statement.run()
                }
            }
        }
    }

    func fill(_ kind: baseline_kind, count: Int, page size: Int = 1000) throws {
        for first in stride(from: 0, to: count, by: size) {
            try upsert(Items(kind, first: first, count: min(size, count - first)))
        }
    }

    func newest(limit: Int) throws -> [(id: Int64, body: Data)] {
        try database.withReader { db in
            try db.withStatement("SELECT id, body FROM items WHERE feed = 1 ORDER BY id DESC LIMIT ?1") { statement in
                try statement.bind(limit, at: 1)
                return try statement.collect { row in (try row.int64(0), try row.data(1)) }
            }
        }
    }

    func older(than id: Int64, limit: Int) throws -> [(id: Int64, body: Data)] {
        try database.withReader { db in
            let sql = "SELECT id, body FROM items WHERE feed = 1 AND id < ?1 ORDER BY id DESC LIMIT ?2"
            return try db.withStatement(sql) { statement in
                try statement.bind(id, at: 1)
                try statement.bind(limit, at: 2)
                return try statement.collect { row in (try row.int64(0), try row.data(1)) }
            }
        }
    }

    func set(_ key: String, _ value: Data) throws {
        try database.writeSync { db in
            let sql = """
                INSERT INTO entries (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value
                """
            try db.withStatement(sql) { statement in
                try statement.bind(key, at: 1)
                try value.withUnsafeBytes { bytes in
                    try statement.bind(bytes, at: 2)
                    try statement.run()
                }
            }
        }
    }

    func get(_ key: String) throws -> Data? {
        try database.withReader { db in
            try db.withStatement("SELECT value FROM entries WHERE key = ?1") { statement in
                try statement.bind(key, at: 1)
                return try statement.step() ? try statement.row.data(0) : nil
            }
        }
    }
}
