import CSQLite

/// One prepared statement; finalised when the last reference goes. Used by its connection's thread alone.
final class PreparedStatement {
    let pointer: OpaquePointer
    /// False when running it could change the database file (<https://www.sqlite.org/c3ref/stmt_readonly.html>).
    let isReadOnly: Bool
    var isInUse = true
    /// When it was last taken, on the cache's own count.
    var lastUse: UInt64 = 0

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        isReadOnly = sqlite3_stmt_readonly(pointer) != 0
    }

    deinit {
        sqlite3_finalize(pointer)
    }
}

/// A connection's prepared statements by their text, the least recently used going first.
///
/// A statement in use is never handed out twice: whoever asks for the same text meanwhile gets one of their own, which
/// is not kept. A hit costs a comparison of the text with itself, which for a constant is one of two pointers, or failing
/// that a hash of it; the scan for the oldest happens only when a new text comes in, where preparing costs far more.
struct StatementCache {
    /// A text by its bytes. `String` takes canonically equivalent texts for one ("é" composed and decomposed), SQLite does
    /// not.
    private struct Text: Hashable {
        let sql: String

        static func == (left: Text, right: Text) -> Bool { left.sql.hasSameBytes(as: right.sql) }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private var statements: [Text: PreparedStatement] = [:]
    /// The texts last asked for, each in the place that its length gives it: a look here before anything is hashed.
    private var recent: [(text: String, statement: PreparedStatement)?]
    private var uses: UInt64 = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        recent = Array(repeating: nil, count: Self.recentCount)
    }

    private static let recentCount = 32

    var count: Int { statements.count }

    /// A free statement with this text, marked as used.
    mutating func take(_ sql: String) -> PreparedStatement? {
        guard let statement = find(sql), !statement.isInUse else { return nil }
        uses += 1
        statement.lastUse = uses
        statement.isInUse = true
        return statement
    }

    private mutating func find(_ sql: String) -> PreparedStatement? {
        let place = sql.utf8.count % Self.recentCount
        if let last = recent[place], last.text.hasSameBytes(as: sql) { return last.statement }
        guard let statement = statements[Text(sql: sql)] else { return nil }
        recent[place] = (sql, statement)
        return statement
    }

    /// Keeps a statement just prepared, unless one with this text is kept already.
    mutating func insert(_ statement: PreparedStatement, for sql: String) {
        guard capacity > 0, statements[Text(sql: sql)] == nil else { return }
        if statements.count >= capacity {
            let free = statements.lazy.filter { !$0.value.isInUse }
            guard let oldest = free.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { return }
            statements[oldest] = nil
            recent[oldest.sql.utf8.count % Self.recentCount] = nil
        }
        uses += 1
        statement.lastUse = uses
        statements[Text(sql: sql)] = statement
    }

    mutating func removeAll() {
        statements.removeAll()
        recent = Array(repeating: nil, count: Self.recentCount)
    }
}
