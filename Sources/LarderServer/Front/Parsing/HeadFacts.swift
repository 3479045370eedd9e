/// What the fields of a head say of its framing, gathered line by line and judged at the end of the head.
///
/// Whatever two readers could frame in two ways is refused, also where the RFC would let a recipient mend it.
struct HeadFacts {
    private(set) var traits: RequestTraits = []
    private(set) var host: Range<Int>?
    private var contentLength: Int?
    private var isChunked = false
    private var saysClose = false
    private var saysKeepAlive = false
    private var expectsContinue = false

    mutating func take(
        _ field: KnownField, value: Range<Int>, in bytes: UnsafeRawBufferPointer
    ) throws(FrontRefusal) {
        switch field {
        case .host:
            guard host == nil else { throw FrontRefusal(400, "Host is given twice") }
            try Authority.check(bytes, value)
            host = value
        case .contentLength:
            guard contentLength == nil else { throw FrontRefusal(400, "Content-Length is given twice") }
            contentLength = try Self.length(bytes[value])
        case .transferEncoding:
            guard !isChunked else { throw FrontRefusal(400, "Transfer-Encoding is given twice") }
            try Self.checkChunked(UnsafeRawBufferPointer(rebasing: bytes[value]))
            isChunked = true
        case .connection:
            for option in bytes[value].split(separator: UInt8(ascii: ",")) {
                let word = UnsafeRawBufferPointer(rebasing: Self.trimmed(option))
                if KnownField.matches(word, "close") { saysClose = true }
                if KnownField.matches(word, "keep-alive") { saysKeepAlive = true }
            }
        case .expect:
            guard KnownField.matches(UnsafeRawBufferPointer(rebasing: bytes[value]), "100-continue") else {
                throw FrontRefusal(417, "the only expectation that can be met is 100-continue")
            }
            expectsContinue = true
        case .trait(let trait):
            traits.insert(trait)
        }
    }

    /// At the end of a head: how the body is framed, and whether the connection goes on.
    mutating func judge(_ line: RequestLine, limits: ParsingLimits) throws(FrontRefusal) -> (
        BodyFraming, keepsAlive: Bool
    ) {
        if line.minorVersion > 0, host == nil { throw FrontRefusal(400, "Host is missing") }
        if line.authority == nil, let host, host.isEmpty { throw FrontRefusal(400, "Host is empty") }
        if isChunked, contentLength != nil { throw FrontRefusal(400, "the length of the body is given in two ways") }
        if isChunked, line.minorVersion == 0 { throw FrontRefusal(400, "HTTP/1.0 knows no Transfer-Encoding") }
        let framing: BodyFraming =
            switch contentLength {
            case nil: isChunked ? .chunked : .none
            case 0?: .none
            case let length?: .length(length)
            }
        if case .length(let length) = framing, length > limits.body {
            throw FrontRefusal(413, "the body is larger than \(limits.body) bytes")
        }
        if expectsContinue, line.minorVersion > 0, framing != .none { traits.insert(.expectsContinue) }
        return (framing, line.minorVersion > 0 ? !saysClose : saysKeepAlive && !saysClose)
    }

    private static func length(_ text: Slice<UnsafeRawBufferPointer>) throws(FrontRefusal) -> Int {
        guard !text.isEmpty, text.allSatisfy(ByteClass.isDigit) else {
            throw FrontRefusal(400, "Content-Length is not one number")
        }
        guard text.count < 19 else { throw FrontRefusal(413, "the body is larger than any that is taken") }
        return text.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    private static func checkChunked(_ text: UnsafeRawBufferPointer) throws(FrontRefusal) {
        if KnownField.matches(text, "chunked") { return }
        let codings = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(trimmed)
        let areChunked = codings.map { KnownField.matches(UnsafeRawBufferPointer(rebasing: $0), "chunked") }
        guard areChunked.last == true, areChunked.count(where: \.self) == 1,
            codings.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ByteClass.isToken) })
        else {
            throw FrontRefusal(400, "the transfer codings do not end with one chunked")
        }
        throw FrontRefusal(501, "the only transfer coding understood is chunked")
    }

    static func trimmed(_ text: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var text = text
        while let first = text.first, ByteClass.isBlank(first) { text = text.dropFirst() }
        while let last = text.last, ByteClass.isBlank(last) { text = text.dropLast() }
        return text
    }
}
