/// Why an answer could not be taken apart. Quotes nothing of a body but the names of an object's members.
package enum JSONSplitError: Error, Sendable, Hashable {
    /// The answer starts like HTML.
    case looksLikeHTML
    /// The answer is empty, or white space.
    case isEmpty
    /// The answer ends too early: `byteCount` bytes in, where `expected` is due.
    case isCut(byteCount: Int, expected: JSONExpectation)
    /// The byte at `offset`, counted from zero, is not what is due there.
    case notJSON(offset: Int, expected: JSONExpectation)
    /// The container that opens at `offset` is nested too deep.
    case tooDeep(offset: Int)
    /// There is no value at `path`; `instead` is the value that has no such member or place.
    case noSuchPath(JSONPath, instead: JSONOutline)
    /// The value at `path` is not an array.
    case notAnArray(JSONPath, instead: JSONOutline)
}

extension JSONSplitError {
    init(_ fault: JSONFault, in bytes: UnsafeRawBufferPointer) {
        let first = bytes.first { ![ASCII.space, ASCII.lineFeed, ASCII.tab, ASCII.carriageReturn].contains($0) }
        self =
            switch (fault.kind, first) {
            case (.tooDeep, _): .tooDeep(offset: fault.offset)
            case (_, nil): .isEmpty
            case (_, ASCII.less): .looksLikeHTML
            default:
                fault.offset == bytes.count
                    ? .isCut(byteCount: bytes.count, expected: fault.expected)
                    : .notJSON(offset: fault.offset, expected: fault.expected)
            }
    }
}

extension JSONSplitError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .looksLikeHTML: "the answer looks like HTML, not JSON: a sign-in page or an error page?"
        case .isEmpty: "the answer has no content where JSON was due"
        case .isCut(let byteCount, let expected):
            "the answer ends after \(byteCount) bytes where \(expected) was due: was it cut short?"
        case .notJSON(let offset, let expected):
            "the answer is not JSON (RFC 8259): at byte \(offset), \(expected) was due"
        case .tooDeep(let offset):
            "the answer nests more than \(JSONNesting.limit) arrays and objects in one another, at byte \(offset)"
        case .noSuchPath(let path, let instead):
            "there is no value at \(path): \(instead)\(Self.advice(instead))"
        case .notAnArray(let path, let instead):
            path == instead.path
                ? "the value at \(path) is not an array: \(instead)\(Self.advice(instead))"
                : "the value at \(path) is not an array"
        }
    }

    private static func advice(_ outline: JSONOutline) -> String {
        outline.nearestArray.map { "; try the path \($0)" } ?? ""
    }
}
