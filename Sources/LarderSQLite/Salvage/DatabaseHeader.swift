import Foundation

/// The first hundred bytes of a database (<https://www.sqlite.org/fileformat2.html#the_database_header>).
struct DatabaseHeader: Sendable {
    /// `nil` where the bytes cannot be one.
    let pageSize: Int?
    let reserved: Int
    let freelistHead: UInt32
    let freelistCount: UInt32
    /// The largest root page in a file with a pointer map, and 0 in one without.
    let largestRoot: UInt32
    /// 1 is UTF-8, 2 and 3 are UTF-16 in little and big endian.
    let encoding: UInt32
    let applicationID: UInt32
    let userVersion: UInt32
    /// The size in pages, where a current version of SQLite has written it.
    let pageCount: UInt32?
    /// Whether every field that can only hold certain values does.
    let isPlausible: Bool

    static let size = 100
    static let magic = Array("SQLite format 3\0".utf8)

    init?(_ bytes: RawBytes) {
        guard bytes.count >= Self.size else { return nil }
        func number(_ offset: Int) -> UInt32 { bytes.uint32(offset) ?? 0 }
        let size = bytes.uint16(16) ?? 0
        pageSize = PageSize.valid(UInt32(size == 1 ? 65536 : size))
        reserved = Int(bytes.byte(20) ?? 0)
        freelistHead = number(32)
        freelistCount = number(36)
        largestRoot = number(52)
        encoding = number(56)
        applicationID = number(68)
        userVersion = number(60)
        let count = number(28)
        pageCount = count > 0 && number(24) == number(92) ? count : nil
        isPlausible =
            bytes.bytes.starts(with: Self.magic) && pageSize != nil && (pageSize ?? 0) - reserved >= 480
            && bytes.bytes[21..<24].elementsEqual([64, 32, 32]) && (1...4).contains(number(44))
            && (1...3).contains(encoding) && bytes.bytes[72..<92].allSatisfy { $0 == 0 }
            && (1...2).contains(bytes.bytes[18]) && (1...2).contains(bytes.bytes[19])
    }
}
