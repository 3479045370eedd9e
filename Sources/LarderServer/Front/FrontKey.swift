/// Whom a request is for, and which path and query it names: to look an answer up by, without making a string.
///
/// Bytes are compared as they came. What is written in another way (a host in capitals) is another key, so this is for a
/// first look and not for the last word.
package struct FrontKey: Sendable, Hashable {
    private let bytes: [UInt8]
    private let authority: Range<Int>
    private let path: Range<Int>

    init(bytes: [UInt8], authority: Range<Int>, path: Range<Int>) {
        self.bytes = bytes
        self.authority = authority
        self.path = path
    }

    /// The same key, holding nothing but itself: for keeping.
    package var compact: FrontKey {
        FrontKey(
            bytes: Array(bytes[authority]) + bytes[path], authority: 0..<authority.count,
            path: authority.count..<authority.count + path.count)
    }

    package static func == (left: FrontKey, right: FrontKey) -> Bool {
        left.bytes[left.authority] == right.bytes[right.authority] && left.bytes[left.path] == right.bytes[right.path]
    }

    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { bytes in
            hasher.combine(authority.count)
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[authority]))
            hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[path]))
        }
    }
}
