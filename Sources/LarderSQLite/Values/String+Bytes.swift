import Foundation

extension String {
    /// Equality of UTF-8 bytes: at once for one constant compared with itself, else by memcmp(3).
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { others in
                guard let mine = mine.baseAddress, let others = others.baseAddress, mine != others else { return true }
                return memcmp(mine, others, utf8.count) == 0
            }
        }
        // Only a string bridged from Objective-C may have no bytes at hand.
        return isSame.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }
}
