/// Goes through a b-tree from its root, in order, and goes on where a page is damaged. Every page is met once, whatever the
/// pages say.
struct TreeWalk {
    private let source: PageSource
    private let encoding: UInt32
    private let free: FreePages
    private var overflow: OverflowReader
    /// The pages met so far, all of them such as their trees have.
    private(set) var met: Set<UInt32> = []
    private(set) var verdict = TreeVerdict()
    private var readsRows = true
    private var leafDepth: Int?
    private var lastRowID: Int64?
    private var lastEntry: [SQLValue]?

    /// No tree of SQLite's is deeper.
    private static let greatestDepth = 20

    private enum Step {
        /// - Parameters:
        ///   - above: The greatest row id that comes before the page.
        ///   - upTo: The greatest row id that may be on it.
        case page(UInt32, depth: Int, above: Int64?, upTo: Int64?)
        case entry(TreeCell, TreePage)
    }

    init(_ source: PageSource, encoding: UInt32, free: FreePages = .unknown) {
        self.source = source
        self.free = free
        self.encoding = encoding
        overflow = OverflowReader(source)
    }

    /// Goes through the pages alone.
    mutating func run(root: UInt32, isTable: Bool) {
        readsRows = false
        walk(root: root, isTable: isTable) { _ in }
    }

    /// - Parameter body: Given each row.
    mutating func run(root: UInt32, isTable: Bool, body: (SalvagedRow) throws -> Void) rethrows {
        readsRows = true
        try walk(root: root, isTable: isTable, body: body)
    }

    private mutating func walk(root: UInt32, isTable: Bool, body: (SalvagedRow) throws -> Void) rethrows {
        (leafDepth, lastRowID, lastEntry) = (nil, nil, nil)
        var steps: [Step] = [.page(root, depth: 0, above: nil, upTo: nil)]
        while let step = steps.popLast() {
            switch step {
            case .entry(let cell, let page):
                if readsRows { try read(cell, of: page, body) }
            case .page(let number, let depth, let above, let upTo):
                guard let page = page(number, isTable: isTable, depth: depth) else { continue }
                if page.kind.isLeaf {
                    try readLeaf(page, depth: depth, above: above, upTo: upTo, body)
                } else {
                    steps += children(of: page, depth: depth, above: above, upTo: upTo).reversed()
                }
            }
        }
    }

    /// Reads all rows of one page that no tree leads to.
    mutating func run(orphan page: TreePage, body: (SalvagedRow) throws -> Void) rethrows {
        verdict.countPage()
        if !page.isWellFormed { verdict.add(.malformed, page: page.number) }
        for index in 0..<page.cellCount {
            if let cell = page.cell(index) {
                (lastRowID, lastEntry) = (nil, nil)
                try read(cell, of: page, body)
            } else {
                verdict.add(.damagedRow, page: page.number)
            }
        }
    }

    private mutating func page(_ number: UInt32, isTable: Bool, depth: Int) -> TreePage? {
        guard let bytes = source.page(number) else {
            verdict.add(.missing, page: number)
            return nil
        }
        guard let page = TreePage(bytes, number: number, usable: source.usable), page.kind.isOfTable == isTable,
            depth < Self.greatestDepth, !free.isKnownFree(number)
        else {
            verdict.add(.notOfTree, page: number)
            return nil
        }
        guard met.insert(number).inserted else {
            verdict.add(.metTwice, page: number)
            return nil
        }
        verdict.countPage()
        if !page.isWellFormed { verdict.add(.malformed, page: number) }
        return page
    }

    /// What comes below an interior page, in order.
    private mutating func children(of page: TreePage, depth: Int, above: Int64?, upTo: Int64?) -> [Step] {
        var steps: [Step] = []
        var last = above
        if page.cellCount == 0 { verdict.add(.misplaced, page: page.number) }
        for index in 0..<page.cellCount {
            guard let cell = page.cell(index), let child = cell.leftChild else {
                verdict.add(.malformed, page: page.number)
                continue
            }
            if let key = cell.rowID, last.map({ key <= $0 }) ?? false || key > upTo ?? .max {
                verdict.add(.misplaced, page: page.number)
            }
            steps.append(.page(child, depth: depth + 1, above: last, upTo: cell.rowID))
            last = cell.rowID ?? last
            if cell.payload != nil { steps.append(.entry(cell, page)) }
        }
        if let right = page.rightChild { steps.append(.page(right, depth: depth + 1, above: last, upTo: upTo)) }
        return steps
    }

    private mutating func readLeaf(
        _ page: TreePage, depth: Int, above: Int64?, upTo: Int64?, _ body: (SalvagedRow) throws -> Void
    ) rethrows {
        if leafDepth ?? depth != depth || (page.cellCount == 0 && depth > 0) {
            verdict.add(.misplaced, page: page.number)
        }
        leafDepth = leafDepth ?? depth
        var isMisplaced = false
        for index in 0..<page.cellCount {
            guard let cell = page.cell(index) else {
                verdict.add(.damagedRow, page: page.number)
                continue
            }
            if let rowID = cell.rowID {
                if let last = lastRowID ?? above, rowID <= last { isMisplaced = true }
                if let above, rowID <= above { isMisplaced = true }
                if let upTo, rowID > upTo { isMisplaced = true }
                lastRowID = rowID
            }
            if readsRows { try read(cell, of: page, body) }
        }
        if isMisplaced { verdict.add(.misplaced, page: page.number) }
    }

    private mutating func read(
        _ cell: TreeCell, of page: TreePage, _ body: (SalvagedRow) throws -> Void
    ) rethrows {
        guard let payload = cell.payload, let bytes = overflow.payload(payload, in: page),
            let values = RecordFormat.values(of: bytes, encoding: encoding)
        else { return verdict.add(.damagedRow, page: page.number) }
        if !page.kind.isOfTable {
            if let lastEntry, !RecordOrder.isAscending(lastEntry, values) { verdict.add(.misplaced, page: page.number) }
            lastEntry = values
        }
        try body(SalvagedRow(rowID: cell.rowID, values: values, page: page.number))
    }
}
