import Foundation
import LarderSQLite
import Testing

@Suite struct Binding {
    let database: Database

    init() throws {
        database = try Database(.memory)
    }

    /// What a parameter reads back as.
    private func echo<T>(
        _ bind: (borrowing Statement) throws -> Void, _ read: (borrowing Row) throws -> T
    ) throws -> T? {
        try database.withReader { connection in
            try connection.withStatement("SELECT ?") { statement in
                try bind(statement)
                return try statement.step() ? try read(statement.row) : nil
            }
        }
    }

    @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
    func integersKeepTheirLimits(_ value: Int64) throws {
        #expect(
            try echo {
                try $0.bind(value, at: 1)
            } _: {
                try $0.int64(0)
            } == value)
        #expect(
            try echo {
                try $0.bind(Int(value), at: 1)
            } _: {
                try $0.int(0)
            } == Int(value))
    }

    @Test(arguments: [0, -0.0, 1.5, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func doublesKeepTheirBits(_ value: Double) throws {
        let read = try #require(
            try echo {
                try $0.bind(value, at: 1)
            } _: {
                try $0.double(0)
            })
        #expect(read.bitPattern == value.bitPattern)
    }

    @Test func notANumberIsNull() throws {
        #expect(
            try echo {
                try $0.bind(Double.nan, at: 1)
            } _: {
                $0.isNull(0)
            } == true)
    }

    @Test(arguments: ["", "a", "a\0b", "\0", "🥫 larder", "e\u{301}", String(repeating: "long ", count: 10_000)])
    func textsKeepEveryByte(_ value: String) throws {
        let read = try #require(
            try echo {
                try $0.bind(value, at: 1)
            } _: {
                try $0.text(0)
            })
        #expect(Array(read.utf8) == Array(value.utf8))
        let type = try echo {
            try $0.bind(value, at: 1)
        } _: {
            $0.type(0)
        }
        #expect(type == .text)
    }

    @Test(arguments: [[], [0], [0, 255, 0], [UInt8](repeating: 7, count: 100_000)])
    func bytesAreTheSameByCopyAndWithout(_ value: [UInt8]) throws {
        #expect(
            try echo {
                try $0.bind(value, at: 1)
            } _: {
                try $0.data(0)
            } == Data(value))
        #expect(
            try echo {
                try $0.bind(Data(value), at: 1)
            } _: {
                try $0.data(0)
            } == Data(value))
        let read = try value.withUnsafeBytes { bytes in
            try echo {
                try $0.bind(bytes, at: 1)
            } _: {
                try $0.withBytes(0) { Array($0) }
            }
        }
        #expect(read == value)
    }

    @Test func anEmptyBlobIsNotNull() throws {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(
            try echo {
                try $0.bind(empty, at: 1)
            } _: {
                $0.type(0)
            } == .blob)
        #expect(
            try echo {
                try $0.bind(Data(), at: 1)
            } _: {
                $0.type(0)
            } == .blob)
        #expect(
            try echo {
                try $0.bind(text: empty, at: 1)
            } _: {
                $0.type(0)
            } == .text)
        #expect(
            try echo {
                try $0.bind(Data(), at: 1)
            } _: {
                try $0.optionalData(0)
            } == .some(Data()))
    }

    @Test func bytesOfATextAreBoundAsText() throws {
        let read = try "Müsli".utf8.withContiguousStorageIfAvailable { bytes in
            try echo {
                try $0.bind(text: UnsafeRawBufferPointer(bytes), at: 1)
            } _: {
                try $0.text(0)
            }
        }
        #expect(read == "Müsli")
    }

    @Test func nilIsNull() throws {
        #expect(
            try echo {
                try $0.bind(nil, at: 1)
            } _: {
                $0.type(0)
            } == .null)
        #expect(
            try echo {
                try $0.bind(String?.none, at: 1)
            } _: {
                $0.type(0)
            } == .null)
        #expect(
            try echo {
                try $0.bind(Int64?.some(3), at: 1)
            } _: {
                try $0.optionalInt64(0)
            } == 3)
        #expect(
            try echo {
                try $0.bind(nil, at: 1)
            } _: {
                try $0.optionalText(0)
            } == .some(nil))
    }

    @Test func aParameterThatDoesNotExistIsRefused() throws {
        let error = #expect(throws: SQLiteError.self) {
            try echo {
                try $0.bind(1, at: 2)
            } _: {
                try $0.int(0)
            }
        }
        #expect(error?.code.primary == .range)
        #expect(error?.operation == .bind)
    }

    @Test func bindingsStayOverRunAndGoWithTheStatement() throws {
        let sums = try database.writeSync { connection in
            try connection.execute("CREATE TABLE number (value)")
            try connection.withStatement("INSERT INTO number VALUES (?)") { statement in
                try statement.bind(5, at: 1)
                try statement.run()
                try statement.run()
            }
            try connection.withStatement("INSERT INTO number VALUES (?)") { try $0.run() }
            return try connection.query("SELECT value FROM number") { try $0.optionalInt(0) }
        }
        #expect(sums == [5, 5, nil])
    }
}

@Suite struct Reading {
    let database: Database

    init() throws {
        database = try Database(.memory)
    }

    private func code(_ sql: SQL, _ read: (borrowing Row) throws -> some Any) throws -> SQLiteError.Code? {
        do {
            _ = try database.withReader { try $0.first(sql, read) }
            return nil
        } catch let error as SQLiteError {
            return error.code
        }
    }

    @Test func theWrongTypeIsAnError() throws {
        #expect(try code("SELECT 'a'") { try $0.int64(0) } == .mismatch)
        #expect(try code("SELECT '1'") { try $0.int64(0) } == .mismatch)
        #expect(try code("SELECT 1.5") { try $0.int64(0) } == .mismatch)
        #expect(try code("SELECT 1") { try $0.text(0) } == .mismatch)
        #expect(try code("SELECT x'00'") { try $0.text(0) } == .mismatch)
        #expect(try code("SELECT 'a'") { try $0.double(0) } == .mismatch)
        #expect(try code("SELECT 1") { try $0.data(0) } == .mismatch)
        #expect(try code("SELECT NULL") { try $0.text(0) } == .mismatch)
        #expect(try code("SELECT 'a'") { try $0.optionalInt(0) } == .mismatch)
    }

    @Test func aMissingColumnIsAnError() throws {
        #expect(try code("SELECT 1") { try $0.int64(1) } == .range)
        #expect(try code("SELECT 1") { try $0.text(-1) } == .range)
    }

    @Test func readingBeforeTheFirstStepIsAnError() throws {
        let error = #expect(throws: SQLiteError.self) {
            try database.withReader { try $0.withStatement("SELECT 1") { try $0.row.int(0) } }
        }
        #expect(error?.code == .range)
    }

    @Test func conversionsThatLoseNothingAreMade() throws {
        #expect(try database.withReader { try $0.first("SELECT 2") { try $0.double(0) } } == 2)
        #expect(try database.withReader { try $0.first("SELECT 'abc'") { try $0.data(0) } } == Data("abc".utf8))
    }

    @Test func brokenTextIsRepairedAndReadableAsBytes() throws {
        let text = try database.withReader { try $0.first("SELECT CAST(x'61FF62' AS TEXT)") { try $0.text(0) } }
        let data = try database.withReader { try $0.first("SELECT CAST(x'61FF62' AS TEXT)") { try $0.data(0) } }
        #expect(text == "a\u{FFFD}b")
        #expect(data == Data([0x61, 0xFF, 0x62]))
    }

    @Test func aRowKnowsItsColumns() throws {
        let (names, values) = try database.withReader { connection in
            try #require(
                try connection.first("SELECT 1 AS one, NULL AS missing, 'x' AS text, 0.5 AS half, x'01' AS bytes") {
                    row in
                    (
                        (0..<row.columnCount).map { row.columnName($0) },
                        try (0..<row.columnCount).map { try row.value($0) }
                    )
                })
        }
        #expect(names == ["one", "missing", "text", "half", "bytes"])
        #expect(values == [.integer(1), .null, .text("x"), .real(0.5), .blob(Data([1]))])
    }
}
