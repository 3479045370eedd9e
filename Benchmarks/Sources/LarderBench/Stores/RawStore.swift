import CBaseline
import Foundation

/// The store of raw C.
final class RawStore {
    let file: URL
    let pointer: OpaquePointer
    private var isOpen = true

    init(_ file: URL) {
        self.file = file
        pointer = baseline_open(file.path)
    }

    deinit {
        close()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        baseline_close(pointer)
    }

    /// Fills the feed with items 0 ..< count, oldest first.
    func fill(_ kind: baseline_kind, count: Int, page size: Int = 1000) {
        var first = 0
        while first < count {
            let items = Items(kind, first: first, count: min(size, count - first))
            baseline_upsert_page(pointer, 1, items.pointer, Int32(items.count))
            first += size
        }
    }

    /// The rows that the last read gave.
    func rows(_ count: Int32) -> [(id: Int64, body: Data)] {
        (0..<Int(count)).map { index in
            let row = baseline_rows(pointer)[index]
            return (row.id, row.body.map { Data(bytes: $0, count: Int(row.length)) } ?? Data())
        }
    }

    func closedSize() throws -> Int {
        close()
        return try fileSize(file)
    }
}
