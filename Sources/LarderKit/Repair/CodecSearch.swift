import LarderSQLite

/// Finds the list of codecs again when nothing leads to it any more: without it no value can be read.
///
/// Its rows bear no checksum. A row and an entry of its index that say the same vouch for each other.
struct CodecSearch {
    private var rows: [Int64: Set<CodecID>] = [:]
    private var entries: [Int64: Set<CodecID>] = [:]

    /// Takes note of a row that is no other table's.
    mutating func look(at row: SalvagedRow) {
        guard row.values.count == 3 else { return }
        switch (row.rowID, row.values[0], row.values[1], row.values[2]) {
        case (let id?, .null, .text(let name), .integer(let version)):
            rows[id, default: []].insert(CodecID(name: name, version: Int(clamping: version)))
        case (nil, .text(let name), .integer(let version), .integer(let id)):
            entries[id, default: []].insert(CodecID(name: name, version: Int(clamping: version)))
        default: return
        }
    }

    /// Those about which nothing contradicts.
    var found: [Int64: CodecID] {
        rows.compactMapValues { $0.count == 1 ? $0.first : nil }.filter { id, codec in entries[id] == [codec] }
    }
}
