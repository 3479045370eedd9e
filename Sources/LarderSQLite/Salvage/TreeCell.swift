/// One cell of a b-tree page: an entry, a child, or both.
struct TreeCell: Sendable {
    /// What of the payload lies on the page, how long it is in all, and where the rest begins.
    struct Payload: Sendable {
        let size: Int
        let local: Range<Int>
        let overflow: UInt32?
    }

    /// The child whose entries come before this cell.
    let leftChild: UInt32?
    /// Of a table: the row's number, or in an interior page the last of the child's.
    let rowID: Int64?
    /// `nil` in an interior page of a table.
    let payload: Payload?
    /// The bytes of the page that the cell takes.
    let extent: Range<Int>

    /// `nil` for a cell that does not lie within its page.
    init?(in page: TreePage, at offset: Int) {
        var position = offset
        let bytes = page.bytes
        if page.kind.isLeaf {
            leftChild = nil
        } else {
            guard let child = bytes.uint32(position) else { return nil }
            leftChild = child
            position += 4
        }
        if page.kind == .tableInterior {
            guard let key = bytes.varint(position), key.end <= page.usable else { return nil }
            rowID = Int64(bitPattern: key.value)
            payload = nil
            extent = offset..<max(key.end, offset + 4)
            return
        }
        guard let size = bytes.varint(position) else { return nil }
        position = size.end
        if page.kind == .tableLeaf {
            guard let key = bytes.varint(position) else { return nil }
            rowID = Int64(bitPattern: key.value)
            position = key.end
        } else {
            rowID = nil
        }
        // No value is longer (<https://www.sqlite.org/limits.html>).
        guard size.value <= 0x7FFF_FFFF, let total = Int(exactly: size.value) else { return nil }
        let local = Self.localSize(of: total, usable: page.usable, isTable: page.kind.isOfTable)
        var end = position + local
        var overflow: UInt32?
        if local < total {
            guard let first = bytes.uint32(end) else { return nil }
            overflow = first
            end += 4
        }
        end = max(end, offset + 4)
        guard end <= page.usable else { return nil }
        payload = Payload(size: total, local: position..<position + local, overflow: overflow)
        extent = offset..<end
    }

    /// How much of a payload stays on its page (<https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages>).
    private static func localSize(of size: Int, usable: Int, isTable: Bool) -> Int {
        let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        guard size > most else { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usable - 4)
        return fitting <= most ? fitting : least
    }
}
