import CSQLite
import Testing

@testable import LarderSQLite

@Suite struct StatementCaching {
    private func handle(capacity: Int = 64) throws -> ConnectionHandle {
        var configuration = Configuration()
        configuration.statementCacheCapacity = capacity
        return try .openWriter(.memory, configuration: configuration)
    }

    @Test func theSameTextIsPreparedOnce() throws {
        let handle = try handle()
        let first = try handle.take("SELECT 1")
        handle.giveBack(first)
        let second = try handle.take("SELECT 1")
        #expect(first === second)
        handle.giveBack(second)
    }

    @Test func textsThatOnlyReadAlikeAreDifferentStatements() throws {
        let database = try Database(.memory)
        // Composed and decomposed; the last pair has one length, and so one place in what was asked for last.
        let texts = ["\u{E9}", "e\u{301}", "\u{E9}", "\u{2126}x", "\u{3A9}xx", "a\u{315}\u{300}", "a\u{300}\u{315}"]
        for text in texts {
            let found = try database.withReader { db in
                try db.withStatement("SELECT '\(text)'") { statement in
                    try statement.step() ? try statement.row.text(0) : ""
                }
            }
            #expect(found.utf8.elementsEqual(text.utf8), "\(Array(text.utf8)) gave \(Array(found.utf8))")
        }
    }

    @Test func aStatementInUseIsNotLentTwice() throws {
        let handle = try handle()
        let outer = try handle.take("SELECT 1")
        let inner = try handle.take("SELECT 1")
        #expect(outer !== inner)
        handle.giveBack(inner)
        handle.giveBack(outer)
        #expect(try handle.take("SELECT 1") === outer)
    }

    @Test func theLeastRecentlyUsedGoesFirst() throws {
        let handle = try handle(capacity: 2)
        handle.statements.removeAll()
        let one = try handle.take("SELECT 1")
        handle.giveBack(one)
        handle.giveBack(try handle.take("SELECT 2"))
        handle.giveBack(try handle.take("SELECT 1"))
        handle.giveBack(try handle.take("SELECT 3"))
        #expect(handle.statements.count == 2)
        #expect(handle.statements.take("SELECT 2") == nil)
        #expect(handle.statements.take("SELECT 1") === one)
    }

    @Test func statementsInUseAreNotPushedOut() throws {
        let handle = try handle(capacity: 1)
        handle.statements.removeAll()
        let used = try handle.take("SELECT 1")
        handle.giveBack(try handle.take("SELECT 2"))
        #expect(handle.statements.count == 1)
        handle.giveBack(used)
        #expect(try handle.take("SELECT 1") === used)
    }

    @Test func noStatementStaysBusyOrBound() throws {
        let handle = try handle()
        let sql = "SELECT ? UNION ALL SELECT 2"
        try handle.lend { connection in
            try connection.withStatement(sql) { statement in
                try statement.bind(1, at: 1)
                _ = try statement.step()
            }
        }
        #expect(throws: Refusal.self) {
            try handle.lend { try $0.query("SELECT 1") { _ in throw Refusal() } }
        }
        var statement = sqlite3_next_stmt(handle.database, nil)
        while let current = statement {
            #expect(sqlite3_stmt_busy(current) == 0)
            statement = sqlite3_next_stmt(handle.database, current)
        }
        let values = try handle.lend { try $0.withStatement(sql) { try $0.collect { try $0.optionalInt(0) } } }
        #expect(values == [nil, 2])
    }

    @Test func theSameQueryNestsInItself() throws {
        let sql = "SELECT value FROM json_each('[1,2,3]')"
        let nested = try handle().lend { connection in
            try connection.withStatement(sql) { outer in
                try outer.collect { row in
                    let inner = try connection.withStatement(sql) { try $0.collect { try $0.int(0) } }
                    return try row.int(0) * 10 + inner.count
                }
            }
        }
        #expect(nested == [13, 23, 33])
    }

    @Test func aChangedSchemaIsNoticed() throws {
        let counts = try handle().lend { connection in
            try connection.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
            let before = try connection.withStatement("SELECT * FROM t") { try $0.collect { $0.columnCount } }
            try connection.execute("ALTER TABLE t ADD COLUMN b")
            return before + (try connection.withStatement("SELECT * FROM t") { try $0.collect { $0.columnCount } })
        }
        #expect(counts == [1, 2])
    }
}
