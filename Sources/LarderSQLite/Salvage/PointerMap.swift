/// What every page of a file with `auto_vacuum` is for (<https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages>).
struct PointerMap: Sendable {
    private enum Use: UInt8 {
        case root = 1
        case free = 2
        case firstOverflow = 3
        case laterOverflow = 4
        case tree = 5
    }

    private let source: PageSource
    /// No page has a parent beyond.
    private let lastPage: UInt32

    /// `nil` for a file without one. Where the header cannot tell, the file has one if what would be its first page can be
    /// nothing else.
    init?(_ source: PageSource, header: DatabaseHeader?) {
        self.source = source
        if let header, header.isPlausible {
            lastPage = max(source.pageCount, header.pageCount ?? 0)
            guard header.largestRoot > 0 else { return nil }
        } else {
            lastPage = source.pageCount
            let last = min(source.pageCount, UInt32(clamping: 2 + source.usable / 5))
            guard last >= 3, source.page(2) != nil, (3...last).allSatisfy({ use(of: $0) != nil }) else { return nil }
        }
    }

    /// Whether a page is known to be one of a b-tree.
    func isOfTree(_ page: UInt32) -> Bool {
        switch use(of: page) {
        case .root, .tree: true
        case .free, .firstOverflow, .laterOverflow, nil: false
        }
    }

    /// Whether a page is known to hold nothing.
    func isFree(_ page: UInt32) -> Bool { use(of: page) == .free }

    /// `nil` for a page of the map itself, and where the map makes no sense.
    private func use(of page: UInt32) -> Use? {
        let entries = UInt32(source.usable / 5)
        guard page > 2 else { return nil }
        var first = (page - 2) / (entries + 1) * (entries + 1) + 2
        if first == source.lockPage { first += 1 }
        guard page > first, let map = source.page(first) else { return nil }
        let offset = Int(page - first - 1) * 5
        guard let use = map.byte(offset).flatMap(Use.init), let parent = map.uint32(offset + 1) else { return nil }
        switch use {
        case .root, .free: return parent == 0 ? use : nil
        case .firstOverflow, .laterOverflow, .tree: return parent > 0 && parent <= lastPage ? use : nil
        }
    }
}
