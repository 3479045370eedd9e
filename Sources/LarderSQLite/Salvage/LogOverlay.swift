import Foundation

/// The pages that a write-ahead log holds instead of the file's (<https://www.sqlite.org/fileformat2.html#walformat>): those of
/// the frames up to the last commit before the first frame that does not prove itself.
struct LogOverlay: Sendable {
    let pageSize: Int
    /// The size of the database in pages after the last commit.
    let pageCount: UInt32
    /// Where a page's latest bytes begin in the log.
    private let offsets: [UInt32: Int]
    private let log: Data

    private static let headerSize = 32
    private static let frameHeaderSize = 24

    /// `nil` for a log that holds no commit, or whose header does not prove itself.
    init?(_ log: Data) {
        let found = log.withUnsafeBytes { bytes in Self.scan(bytes) }
        guard let found, found.pageCount > 0 else { return nil }
        self.log = log
        pageSize = found.pageSize
        pageCount = found.pageCount
        offsets = found.offsets
    }

    var pages: some Collection<UInt32> { offsets.keys }

    func page(_ number: UInt32) -> RawBytes? {
        guard let offset = offsets[number] else { return nil }
        return log.withUnsafeBytes { bytes in
            guard offset <= bytes.count - pageSize else { return nil }
            return RawBytes(Array(bytes[offset..<offset + pageSize]))
        }
    }

    private struct Findings {
        let pageSize: Int
        var pageCount: UInt32 = 0
        var offsets: [UInt32: Int] = [:]
    }

    private static func scan(_ bytes: UnsafeRawBufferPointer) -> Findings? {
        guard bytes.count >= headerSize else { return nil }
        func number(_ offset: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let magic = number(0)
        guard magic & 0xFFFF_FFFE == 0x377F_0682, number(4) == 3_007_000, let pageSize = PageSize.valid(number(8))
        else {
            return nil
        }
        var checksum = LogChecksum(isBigEndian: magic & 1 == 1)
        checksum.add(bytes, 0..<24)
        guard checksum.first == number(24), checksum.second == number(28) else { return nil }

        var findings = Findings(pageSize: pageSize)
        var open: [UInt32: Int] = [:]
        var offset = headerSize
        while offset <= bytes.count - frameHeaderSize - pageSize {
            let page = number(offset)
            let body = offset + frameHeaderSize
            checksum.add(bytes, offset..<offset + 8)
            checksum.add(bytes, body..<body + pageSize)
            guard page > 0, number(offset + 8) == number(16), number(offset + 12) == number(20),
                checksum.first == number(offset + 16), checksum.second == number(offset + 20)
            else { break }
            open[page] = body
            let size = number(offset + 4)
            if size > 0 {
                findings.offsets.merge(open) { _, later in later }
                findings.pageCount = size
                open.removeAll(keepingCapacity: true)
            }
            offset = body + pageSize
        }
        return findings
    }
}

/// The checksum of a log, each frame's going on from the one before.
private struct LogChecksum {
    let isBigEndian: Bool
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    /// - Parameter range: A multiple of eight bytes, within the buffer.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        var (first, second) = (first, second)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let two = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            first = first &+ (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
            second = second &+ (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
            offset += 8
        }
        (self.first, self.second) = (first, second)
    }
}
