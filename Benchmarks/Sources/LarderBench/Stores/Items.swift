import CBaseline
import Foundation

/// Items of a fixed seed, oldest first, in C's memory.
final class Items {
    let count: Int
    let pointer: UnsafeMutablePointer<baseline_item>

    init(_ kind: baseline_kind, first: Int, count: Int) {
        self.count = count
        pointer = baseline_items(kind, UInt32(first), UInt32(count))
    }

    deinit {
        baseline_free_items(pointer)
    }

    subscript(index: Int) -> baseline_item { pointer[index] }

    /// The items as a server gives them: a JSON array, newest first.
    var answer: Data {
        var data = Data("[".utf8)
        data.reserveCapacity(byteCount + count + 2)
        for index in (0..<count).reversed() {
            if data.count > 1 { data.append(0x2C) }
            data.append(bytes(at: index))
        }
        data.append(0x5D)
        return data
    }

    func bytes(at index: Int) -> Data {
        Data(bytes: pointer[index].body, count: Int(pointer[index].length))
    }

    var byteCount: Int { (0..<count).reduce(0) { $0 + Int(pointer[$1].length) } }
}
