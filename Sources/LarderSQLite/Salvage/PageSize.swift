/// The sizes a page may have.
enum PageSize {
    /// The most likely first: the one new files are made with, and SQLite's own.
    static let all = [8192, 4096, 16384, 32768, 65536, 2048, 1024, 512]

    /// The bytes at the end of each page that some builds of SQLite keep for extensions.
    static let reserved = [0, 12, 8, 32, 16]

    /// A page size as the formats write it, or `nil` when it is none.
    static func valid(_ number: UInt32) -> Int? {
        (512...65536).contains(number) && number.nonzeroBitCount == 1 ? Int(number) : nil
    }
}
