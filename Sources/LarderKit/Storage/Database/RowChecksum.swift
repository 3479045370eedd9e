import LarderSQLite

/// The checksum of a row of the cache file, kept in the row itself: SQLite has none for what is in its file, and a disk that
/// lies would have a wrong body, or a proof of something else, taken for what the server said.
///
/// It covers which table the row is of, its key, and what is served or concluded from it; not what only costs something when
/// it is wrong (when a value was last used). The same sum is the SQL function `larder_checksum(table, column, …)` on every
/// connection of a larder, for statements that change a row in place.
struct RowChecksum {
    enum Table: String, CaseIterable {
        case entry, item, segment, edge, envelope, feed
        /// The bytes of a value, wherever they lie.
        case body
        /// A row of a portable snapshot, which is no cache file.
        case snapshot
    }

    private var sum = Checksum()

    init(_ table: Table) {
        add(table.rawValue)
    }

    /// As it is stored.
    var value: Int64 { Int64(bitPattern: sum.value) }

    // What kind of column it is counts as well, and each piece tells its length: no two rows add up the same things.
    private enum Kind: UInt64 {
        case null = 1, integer, real, text, blob
    }

    mutating func add(_ number: Int64) {
        sum.mix(Kind.integer.rawValue)
        sum.mix(UInt64(bitPattern: number))
    }

    mutating func add(_ number: Int64?) {
        if let number { add(number) } else { addNull() }
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
    }

    mutating func add(_ text: String?) {
        if let text { add(text) } else { addNull() }
    }

    mutating func add(blob: UnsafeRawBufferPointer) {
        sum.mix(Kind.blob.rawValue)
        sum.add(blob)
    }

    mutating func add(blob: [UInt8]) {
        blob.withUnsafeBytes { add(blob: $0) }
    }

    mutating func add(_ key: SortKey) {
        switch key {
        case .integer(let number): add(number)
        case .bytes(let bytes): add(blob: bytes)
        }
    }

    fileprivate mutating func addNull() { sum.mix(Kind.null.rawValue) }

    fileprivate mutating func add(text: UnsafeRawBufferPointer) {
        sum.mix(Kind.text.rawValue)
        sum.add(text)
    }

    fileprivate mutating func add(_ number: Double) {
        sum.mix(Kind.real.rawValue)
        sum.mix(number.bitPattern)
    }
}

extension RowChecksum {
    /// The sum of a value's bytes.
    static func ofBody(_ body: UnsafeRawBufferPointer) -> Int64 {
        var sum = RowChecksum(.body)
        sum.add(blob: body)
        return sum.value
    }

    /// The name of the SQL function.
    static let function = "larder_checksum"

    /// Makes the function known to a connection.
    static func register(on db: borrowing Connection) throws {
        try db.addFunction(function) { arguments in
            var sum = RowChecksum()
            for index in arguments.indices { sum.add(arguments, index) }
            return sum.value
        }
    }

    private init() {}

    private mutating func add(_ arguments: borrowing FunctionArguments, _ index: Int32) {
        switch arguments.kind(index) {
        case .null: addNull()
        case .integer(let number): add(number)
        case .real(let number): add(number)
        case .text: arguments.withBytes(index) { add(text: $0) }
        case .blob: arguments.withBytes(index) { add(blob: $0) }
        }
    }
}
