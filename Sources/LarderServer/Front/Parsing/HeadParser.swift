/// Reads the head of a request, as far as it has come (RFC 9112 sections 2 to 5).
///
/// What it finds does not depend on how the bytes were cut on their way: it looks at each byte once, in order, and the first
/// that is wrong decides.
struct HeadParser {
    enum Step {
        case needsMore
        /// Complete, with the number of bytes it took up.
        case head(RequestHead, count: Int)
    }

    private let limits: ParsingLimits
    /// Bytes looked at.
    private var scanned = 0
    /// Where the request line begins: one empty line before it is passed over (RFC 9112 section 2.2).
    private var start = 0
    private var lineStart = 0
    private var isAfterReturn = false
    private var line: RequestLine?
    private var fields: [FieldPlace] = []
    private var facts = HeadFacts()

    init(limits: ParsingLimits) {
        self.limits = limits
    }

    /// Whether anything of a request has come.
    var isEmpty: Bool { scanned == start }

    /// - Parameter bytes: All that has come since the message's beginning, the same as before with more behind it.
    mutating func parse(_ bytes: UnsafeRawBufferPointer) throws(FrontRefusal) -> Step {
        while scanned < bytes.count {
            if isAfterReturn {
                guard bytes[scanned] == ByteClass.lineFeed else {
                    throw FrontRefusal(400, "a carriage return is not followed by a line feed")
                }
                let end = scanned - 1
                scanned += 1
                isAfterReturn = false
                if let head = try takeLine(bytes, lineStart..<end) { return .head(head, count: scanned) }
                lineStart = scanned
                continue
            }
            try scanLine(bytes)
        }
        return .needsMore
    }

    /// Goes to behind the line's carriage return, or to the end of what has come.
    private mutating func scanLine(_ bytes: UnsafeRawBufferPointer) throws(FrontRefusal) {
        let limit = line == nil ? start + limits.requestLine : fieldsStart + limits.fields
        let end = min(bytes.count, limit)
        var index = scanned
        while index < end, !ByteClass.isControl(bytes[index]) { index += 1 }
        scanned = index
        guard index < bytes.count else { return }
        if bytes[index] == ByteClass.carriageReturn, index <= limit {
            scanned += 1
            isAfterReturn = true
        } else if index >= limit {
            throw line == nil
                ? FrontRefusal(414, "the request line is longer than \(limits.requestLine) bytes")
                : FrontRefusal(431, "the fields are longer than \(limits.fields) bytes")
        } else if bytes[index] == ByteClass.lineFeed {
            throw FrontRefusal(400, "a line feed stands without a carriage return")
        } else {
            throw FrontRefusal(400, "the head holds a control character")
        }
    }

    private var fieldsStart = 0

    /// The whole head, after its last line.
    private mutating func takeLine(
        _ bytes: UnsafeRawBufferPointer, _ place: Range<Int>
    ) throws(FrontRefusal) -> RequestHead? {
        guard let line else {
            if place.isEmpty, start == 0 {
                start = scanned
            } else {
                line = try RequestLine(bytes, place)
                fieldsStart = scanned
            }
            return nil
        }
        guard place.isEmpty else {
            try takeField(bytes, place)
            return nil
        }
        let (framing, keepsAlive) = try facts.judge(line, limits: limits)
        let shift = start
        return RequestHead(
            bytes: Array(bytes[start..<place.lowerBound]), fields: fields, method: line.method.shifted(by: -shift),
            target: line.target.shifted(by: -shift), path: line.path.shifted(by: -shift),
            authority: (line.authority ?? facts.host).map { $0.shifted(by: -shift) } ?? 0..<0, form: line.form,
            isSecure: line.isSecure, minorVersion: line.minorVersion, traits: facts.traits, framing: framing,
            keepsAlive: keepsAlive)
    }

    private mutating func takeField(_ bytes: UnsafeRawBufferPointer, _ place: Range<Int>) throws(FrontRefusal) {
        guard !ByteClass.isBlank(bytes[place.lowerBound]) else { throw FrontRefusal(400, "a field line is folded") }
        guard fields.count < limits.fieldCount else {
            throw FrontRefusal(431, "there are more than \(limits.fieldCount) fields")
        }
        var colon = place.lowerBound
        while colon < place.upperBound, ByteClass.isToken(bytes[colon]) { colon += 1 }
        guard colon > place.lowerBound, colon < place.upperBound, bytes[colon] == UInt8(ascii: ":") else {
            throw FrontRefusal(400, "a field line does not begin with a name and a colon")
        }
        var value = colon + 1..<place.upperBound
        while let first = value.first, ByteClass.isBlank(bytes[first]) { value = first + 1..<value.upperBound }
        while let last = value.last, ByteClass.isBlank(bytes[last]) { value = value.lowerBound..<last }
        let name = place.lowerBound..<colon
        if let known = KnownField.named(UnsafeRawBufferPointer(rebasing: bytes[name])) {
            try facts.take(known, value: value, in: bytes)
        }
        fields.append(FieldPlace(name: name.narrowed(by: start), value: value.narrowed(by: start)))
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
    fileprivate func narrowed(by start: Int) -> Range<Int32> { Int32(lowerBound - start)..<Int32(upperBound - start) }
}
