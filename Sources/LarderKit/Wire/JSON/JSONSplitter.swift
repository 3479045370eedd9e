/// One element of an array in an answer.
package struct JSONItem: Sendable, Hashable {
    /// The element's bytes within the answer, white space around it left out.
    package let range: Range<Int>
    /// The element's id, or `nil` when it has none that can be said in UTF-8.
    package let id: ItemID?
}

/// Takes an answer apart without changing a byte of it.
///
/// Accepts exactly what RFC 8259 calls JSON, in UTF-8 (RFC 3629) without a byte order mark, nested up to 512 deep.
/// Every function reads the *whole* answer, once, and refuses it when it is invalid anywhere, also behind what was
/// looked for. Time is linear in the answer; nothing is allocated but the result.
///
/// All offsets count from the first of the bytes given, from zero. Of members with the same name the first counts, as
/// it does for `JSONDecoder` and for SQLite's `->`; names compare after their escapes are resolved.
package enum JSONSplitter {
    /// Returns if `bytes` are one JSON value with nothing but white space around it.
    package static func validate(_ bytes: UnsafeRawBufferPointer) throws(JSONSplitError) {
        try scan(bytes) { (scanner) throws(JSONFault) in try scanner.skipValue() }
    }

    /// The bytes of the value at `path`, or `nil` when the answer has none there.
    package static func range(
        of path: JSONPath, in bytes: UnsafeRawBufferPointer
    ) throws(JSONSplitError) -> Range<Int>? {
        var range: Range<Int>?
        try scan(bytes) { (scanner) throws(JSONFault) in
            _ = try scanner.skipValue(lookingFor: path) { (scanner) throws(JSONFault) in
                let start = scanner.position
                try scanner.skipValue()
                range = start..<scanner.position
            }
        }
        return range
    }

    /// The elements of the array at `path`, in order, each with the id that stands at `idPath` within it.
    ///
    /// An id is a string's text with its escapes resolved, or a number's digits exactly as served, so that a number and
    /// its string form are one id. Anything else there, nothing, an empty string, or a string with half a surrogate pair
    /// leaves the item without id; the item itself is whole all the same.
    package static func items(
        in bytes: UnsafeRawBufferPointer, at path: JSONPath, id idPath: JSONPath
    ) throws(JSONSplitError) -> [JSONItem] {
        var items: [JSONItem] = []
        var other: Int?
        var miss: JSONScanner.Miss?
        try scan(bytes) { (scanner) throws(JSONFault) in
            miss = try scanner.skipValue(lookingFor: path) { (scanner) throws(JSONFault) in
                guard scanner.next == ASCII.openBracket else {
                    other = scanner.position
                    return try scanner.skipValue()
                }
                items = try scanner.skipItems(id: idPath)
            }
        }
        if let miss {
            let outline = try outline(of: bytes, at: miss.offset, path: path.prefix(miss.stepsTaken))
            throw .noSuchPath(path, instead: outline)
        }
        if let other {
            throw .notAnArray(path, instead: try outline(of: bytes, at: other, path: path))
        }
        return items
    }

    private static func scan(
        _ bytes: UnsafeRawBufferPointer, _ body: (inout JSONScanner) throws(JSONFault) -> Void
    ) throws(JSONSplitError) {
        var scanner = JSONScanner(bytes)
        do throws(JSONFault) {
            try scanner.refuseByteOrderMark()
            scanner.skipSpace()
            try body(&scanner)
            try scanner.skipToEnd()
        } catch {
            throw JSONSplitError(error, in: bytes)
        }
    }

    private static func outline(
        of bytes: UnsafeRawBufferPointer, at offset: Int, path: JSONPath
    ) throws(JSONSplitError) -> JSONOutline {
        do {
            return try JSONOutline(of: bytes, at: offset, path: path)
        } catch {
            throw JSONSplitError(error, in: bytes)
        }
    }
}
