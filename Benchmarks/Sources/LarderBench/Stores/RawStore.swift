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

    func set(_ key: String, _ value: Data) {
        var key = key
        key.withUTF8 { name in
            value.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, let nameStart = name.baseAddress else { return }
                nameStart.withMemoryRebound(to: CChar.self, capacity: name.count) { nameStart in
                    baseline_set(pointer, nameStart, Int32(name.count), start, Int32(bytes.count))
                }
            }
        }
    }

    /// Copies the value of a key, in C.
    /// - Returns: Its length, or -1 when there is none.
    func find(_ key: String) -> Int32 {
        var key = key
        return key.withUTF8 { name in
            guard let start = name.baseAddress else { return -1 }
            return start.withMemoryRebound(to: CChar.self, capacity: name.count) { start in
                baseline_get(pointer, start, Int32(name.count))
            }
        }
    }

    func get(_ key: String) -> Data? {
        let length = find(key)
        guard length >= 0 else { return nil }
        return baseline_value(pointer).map { Data(bytes: $0, count: Int(length)) }
    }

    func closedSize() throws -> Int {
        close()
        return try fileSize(file)
    }
}
