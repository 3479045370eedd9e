import LarderSQLite
import Synchronization

/// The codecs that rows name, by number.
enum CodecTable {
    static func number(of codec: CodecID, in db: borrowing Connection) throws -> Int64 {
        if let number = try find(codec, in: db) { return number }
        let sql = "INSERT INTO larder_codec (name, version) VALUES (?1, ?2)"
        try db.withStatement(sql) { statement in
            try statement.bind(codec.name, at: 1)
            try statement.bind(codec.version, at: 2)
            try statement.run()
        }
        return db.lastInsertRowID
    }

    static func find(_ codec: CodecID, in db: borrowing Connection) throws -> Int64? {
        try db.withStatement("SELECT id FROM larder_codec WHERE name = ?1 AND version = ?2") { statement in
            try statement.bind(codec.name, at: 1)
            try statement.bind(codec.version, at: 2)
            return try statement.step() ? try statement.row.int64(0) : nil
        }
    }

    static func codec(_ number: Int64, in db: borrowing Connection) throws -> CodecID {
        try db.withStatement("SELECT name, version FROM larder_codec WHERE id = ?1") { statement in
            try statement.bind(number, at: 1)
            guard try statement.step() else { throw StorageError.corrupt("a row names a codec that is not listed") }
            return CodecID(name: try statement.row.text(0), version: try statement.row.int(1))
        }
    }
}

/// The codecs that were met in rows, by number. They need no second look: a number never changes its meaning.
final class KnownCodecs: Sendable {
    /// There is a handful of them at most, in no order.
    private let codecs = Mutex<[(number: Int64, codec: CodecID)]>([])

    func codec(_ number: Int64) -> CodecID? {
        codecs.withLock { codecs in codecs.first { $0.number == number }?.codec }
    }

    func codec(_ number: Int64, in db: borrowing Connection) throws -> CodecID {
        if let codec = codec(number) { return codec }
        let codec = try CodecTable.codec(number, in: db)
        codecs.withLock { $0.append((number, codec)) }
        return codec
    }
}
