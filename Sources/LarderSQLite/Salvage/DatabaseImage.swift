package import Foundation

/// What the bytes of a database hold, read without SQLite: for files that it refuses.
///
/// Nothing of the bytes is believed. Whatever they are, reading ends, and never traps; what cannot be read is said.
package struct DatabaseImage: Sendable {
    private let source: PageSource
    private let header: DatabaseHeader?
    private let encoding: UInt32
    /// The pages that some tree leads to.
    private let met: Set<UInt32>
    private let free: FreePages
    /// The tables and indexes that could be read.
    package let schema: [SchemaRow]
    /// Whether those are all.
    package let schemaVerdict: TreeVerdict

    /// - Parameter log: The bytes of the file's `-wal`, if there is one.
    /// - Returns: `nil` for bytes in which no page of a database can be found.
    package init?(file: Data, log: Data?) {
        let overlay = log.flatMap(LogOverlay.init)
        // Of the first page only its head is needed, whatever its size.
        let head = overlay?.page(1) ?? RawBytes(Array(file.prefix(DatabaseHeader.size)))
        let header = DatabaseHeader(head)
        guard let source = PageSizeGuess.source(file: file, log: overlay, header: header) else { return nil }
        self.source = source
        self.header = header
        encoding = header.map { (1...3).contains($0.encoding) && $0.isPlausible ? $0.encoding : 1 } ?? 1

        var walk = TreeWalk(source, encoding: encoding)
        var rows: [SchemaRow] = []
        walk.run(root: 1, isTable: true) { row in
            if let row = SchemaRow(row) { rows.append(row) }
        }
        schema = rows
        schemaVerdict = walk.verdict
        for root in rows.map(\.rootPage) where root > 0 {
            walk.run(root: root, isTable: source.treePage(root)?.kind.isOfTable ?? true)
        }
        met = walk.met
        free = FreePages(source, header: header).listing(noneOf: walk.met)
    }

    package var pageSize: Int { source.pageSize }
    /// Pages of the file and its log, a last one that is cut included.
    package var pageCount: UInt32 { source.pageCount }
    /// `nil` where the header is damaged.
    package var applicationID: UInt32? { header.flatMap { $0.isPlausible ? $0.applicationID : nil } }
    package var userVersion: UInt32? { header.flatMap { $0.isPlausible ? $0.userVersion : nil } }

    /// Reads the rows of a table that has row ids, in order, going on where pages are damaged.
    package func rows(
        ofTableRootedAt root: UInt32, _ body: (SalvagedRow) throws -> Void
    ) rethrows -> TreeVerdict {
        try walk(root, isTable: true, body)
    }

    /// Reads the entries of an index, or the rows of a table without row ids, in the same way.
    package func entries(
        ofIndexRootedAt root: UInt32, _ body: (SalvagedRow) throws -> Void
    ) rethrows -> TreeVerdict {
        try walk(root, isTable: false, body)
    }

    private func walk(
        _ root: UInt32, isTable: Bool, _ body: (SalvagedRow) throws -> Void
    ) rethrows -> TreeVerdict {
        var walk = TreeWalk(source, encoding: encoding, free: free)
        try walk.run(root: root, isTable: isTable, body: body)
        return walk.verdict
    }
}

extension DatabaseImage {
    /// What was found on pages that no tree leads to.
    package struct Orphans: Sendable {
        /// Nothing tells pages in use from freed ones, so none was read.
        package var areUnknown = false
        package var pages = 0
        package var damagedRows = 0
    }

    /// Reads the rows of pages that belong to a tree which does not lead to them any more: something above them is damaged. Which
    /// tree is not known, nor is their order.
    ///
    /// A freed page may hold rows that were removed: only pages that are known not to be free are read, and none when that
    /// cannot be known.
    package func orphans(_ body: (SalvagedRow) throws -> Void) rethrows -> Orphans {
        var orphans = Orphans()
        guard free.areKnown else {
            orphans.areUnknown = true
            return orphans
        }
        var walk = TreeWalk(source, encoding: encoding)
        let last = liveCount
        for number in source.pages where number > 1 && number <= last && !met.contains(number) && free.isLive(number) {
            guard let page = source.treePage(number), page.kind != .tableInterior else { continue }
            orphans.pages += 1
            try walk.run(orphan: page, body: body)
        }
        orphans.damagedRows = walk.verdict.damagedRows
        return orphans
    }

    /// Pages beyond those the database says it has are leftovers.
    private var liveCount: UInt32 {
        if let log = source.log { return log.pageCount }
        guard let header, header.isPlausible, let count = header.pageCount else { return source.pageCount }
        return min(count, source.pageCount)
    }
}
