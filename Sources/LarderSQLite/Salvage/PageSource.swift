import Foundation

/// The pages of a database as its file and its log hold them together.
struct PageSource: Sendable {
    let file: Data
    let log: LogOverlay?
    let pageSize: Int
    /// Bytes of a page that SQLite uses.
    let usable: Int

    init(file: Data, log: LogOverlay?, pageSize: Int, reserved: Int) {
        self.file = file
        self.log = log?.pageSize == pageSize ? log : nil
        self.pageSize = pageSize
        usable = pageSize - reserved
    }

    /// The number of the last page that can be asked for.
    var pageCount: UInt32 { max(inFile, log?.pages.max() ?? 0) }

    /// Pages of the file; where it is cut, the last of them is not there in full.
    private var inFile: UInt32 { UInt32(clamping: (file.count + pageSize - 1) / pageSize) }

    /// The pages that are there, in order.
    var pages: some Sequence<UInt32> {
        let inFile = inFile
        return [Array(1..<inFile &+ 1), (log?.pages.filter { $0 > inFile } ?? []).sorted()].joined()
    }

    /// How many there can be at most.
    var greatestCount: Int { Int(clamping: inFile) + (log?.pages.count ?? 0) }

    /// `nil` for a page that is not there in full.
    func page(_ number: UInt32) -> RawBytes? {
        if let page = log?.page(number) { return page }
        guard number > 0, let index = Int(exactly: number - 1) else { return nil }
        let (offset, isTooFar) = index.multipliedReportingOverflow(by: pageSize)
        guard !isTooFar, offset <= file.count - pageSize else { return nil }
        return file.withUnsafeBytes { bytes in RawBytes(Array(bytes[offset..<offset + pageSize])) }
    }

    func treePage(_ number: UInt32) -> TreePage? {
        page(number).flatMap { TreePage($0, number: number, usable: usable) }
    }

    /// The page that holds the bytes on which SQLite locks the file: it is never used.
    var lockPage: UInt32 { UInt32(0x4000_0000 / pageSize + 1) }
}
