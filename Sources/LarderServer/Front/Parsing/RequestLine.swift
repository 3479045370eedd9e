/// The first line of a request, judged by itself (RFC 9112 section 3).
struct RequestLine {
    let method: Range<Int>
    let target: Range<Int>
    let path: Range<Int>
    /// Of an absolute target.
    let authority: Range<Int>?
    let form: TargetForm
    let isSecure: Bool
    let minorVersion: Int

    /// - Parameter line: Where the line stands in `bytes`, without its end.
    init(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) throws(FrontRefusal) {
        guard let firstBlank = bytes[line].firstIndex(of: ByteClass.space), firstBlank > line.lowerBound else {
            throw FrontRefusal(400, "the request line has no method and target")
        }
        method = line.lowerBound..<firstBlank
        guard bytes[method].allSatisfy(ByteClass.isToken) else { throw FrontRefusal(400, "the method is not a word") }
        guard method.count <= 32 else { throw FrontRefusal(501, "the method is too long") }
        let rest = firstBlank + 1..<line.upperBound
        guard let secondBlank = bytes[rest].firstIndex(of: ByteClass.space), secondBlank > rest.lowerBound else {
            throw FrontRefusal(400, "the request line has no target, or no version behind it")
        }
        target = rest.lowerBound..<secondBlank
        minorVersion = try Self.minorVersion(bytes, secondBlank + 1..<line.upperBound)
        if KnownField.matches(UnsafeRawBufferPointer(rebasing: bytes[method]), "connect") {
            throw FrontRefusal(501, "CONNECT is not served here")
        }
        guard bytes[target].allSatisfy({ $0 &- 0x21 < 0x5E && $0 != UInt8(ascii: "#") }) else {
            throw FrontRefusal(400, "the target holds a blank, a fragment or what must be escaped with %")
        }
        if bytes[target.lowerBound] == UInt8(ascii: "/") {
            (form, authority, path, isSecure) = (.origin, nil, target, false)
        } else if target.count == 1, bytes[target.lowerBound] == UInt8(ascii: "*") {
            guard bytes[method].elementsEqual("OPTIONS".utf8) else {
                throw FrontRefusal(400, "* is a target for OPTIONS only")
            }
            (form, authority, path, isSecure) = (.asterisk, nil, target, false)
        } else {
            let prefix = try Self.schemeLength(bytes, target)
            let start = target.lowerBound + prefix
            let end =
                bytes[start..<target.upperBound].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
                ?? target.upperBound
            try Authority.check(bytes, start..<end)
            guard start < end else { throw FrontRefusal(400, "the target names no host") }
            (form, authority, path, isSecure) = (.absolute, start..<end, end..<target.upperBound, prefix == 8)
        }
    }

    /// How long `http://` or `https://` is.
    private static func schemeLength(_ bytes: UnsafeRawBufferPointer, _ target: Range<Int>) throws(FrontRefusal) -> Int
    {
        let text = UnsafeRawBufferPointer(rebasing: bytes[target])
        if KnownField.matches(UnsafeRawBufferPointer(rebasing: text.prefix(7)), "http://") { return 7 }
        if KnownField.matches(UnsafeRawBufferPointer(rebasing: text.prefix(8)), "https://") { return 8 }
        throw FrontRefusal(400, "the target is neither a path nor an http or https URL")
    }

    private static func minorVersion(_ bytes: UnsafeRawBufferPointer, _ version: Range<Int>) throws(FrontRefusal) -> Int
    {
        let text = bytes[version]
        let start = text.startIndex
        guard text.count == 8, text.prefix(5).elementsEqual("HTTP/".utf8), ByteClass.isDigit(text[start + 5]),
            text[start + 6] == UInt8(ascii: "."), ByteClass.isDigit(text[start + 7])
        else {
            throw FrontRefusal(400, "the request line does not end with a version of HTTP")
        }
        guard text[start + 5] == UInt8(ascii: "1") else {
            throw FrontRefusal(505, "only HTTP/1.1 and HTTP/1.0 are served")
        }
        // A later 1.x is understood as the latest that is known (RFC 9110 section 2.5).
        return text[start + 7] == UInt8(ascii: "0") ? 0 : 1
    }
}
