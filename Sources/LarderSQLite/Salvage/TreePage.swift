/// A page of a b-tree (<https://www.sqlite.org/fileformat2.html#b_tree_pages>).
struct TreePage: Sendable {
    enum Kind: UInt8 {
        case indexInterior = 0x02
        case tableInterior = 0x05
        case indexLeaf = 0x0A
        case tableLeaf = 0x0D

        var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
        var isOfTable: Bool { self == .tableInterior || self == .tableLeaf }
    }

    let number: UInt32
    let kind: Kind
    let bytes: RawBytes
    let usable: Int
    /// Where the page's own header begins: the first page holds that of the file before.
    private let start: Int
    let cellCount: Int

    /// `nil` for a page of another kind.
    init?(_ bytes: RawBytes, number: UInt32, usable: Int) {
        start = number == 1 ? DatabaseHeader.size : 0
        guard let kind = bytes.byte(start).flatMap(Kind.init), let count = bytes.uint16(start + 3),
            usable <= bytes.count
        else { return nil }
        self.number = number
        self.kind = kind
        self.bytes = bytes
        self.usable = usable
        // What does not fit on the page is not there.
        cellCount = min(count, max(0, (usable - start - 8) / 2))
    }

    private var headerSize: Int { kind.isLeaf ? 8 : 12 }

    /// The child above all cells.
    var rightChild: UInt32? { kind.isLeaf ? nil : bytes.uint32(start + 8) }

    func cell(_ index: Int) -> TreeCell? {
        guard (0..<cellCount).contains(index), let offset = bytes.uint16(start + headerSize + 2 * index) else {
            return nil
        }
        return TreeCell(in: self, at: offset)
    }

    /// Whether cells, free blocks and fragments fill the page exactly, as SQLite leaves them. A page of which a cell was lost or
    /// doubled does not.
    var isWellFormed: Bool {
        let pointersEnd = start + headerSize + 2 * cellCount
        guard bytes.uint16(start + 3) == cellCount, let declared = bytes.uint16(start + 5),
            let fragments = bytes.byte(start + 7)
        else { return false }
        let contentStart = declared == 0 ? 65536 : declared
        guard pointersEnd <= contentStart, contentStart <= usable, let free = freeBlocks(from: contentStart) else {
            return false
        }
        var used = free
        for index in 0..<cellCount {
            guard let extent = cell(index)?.extent, extent.lowerBound >= contentStart else { return false }
            used.append(extent)
        }
        var (end, unused) = (contentStart, 0)
        for extent in used.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard extent.lowerBound >= end else { return false }
            unused += extent.lowerBound - end
            end = extent.upperBound
        }
        return unused + usable - end == Int(fragments)
    }

    private func freeBlocks(from contentStart: Int) -> [Range<Int>]? {
        var blocks: [Range<Int>] = []
        var next = bytes.uint16(start + 1) ?? 0
        while next != 0 {
            // They ascend, so the chain ends.
            guard next >= (blocks.last?.upperBound ?? contentStart), let following = bytes.uint16(next),
                let size = bytes.uint16(next + 2), size >= 4, next + size <= usable
            else { return nil }
            blocks.append(next..<next + size)
            next = following
        }
        return blocks
    }
}
