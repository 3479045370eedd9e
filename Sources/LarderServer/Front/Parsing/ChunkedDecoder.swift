/// Takes the chunked coding off a body (RFC 9112 section 7.1), byte by byte where it is framing.
///
/// Extensions and trailer fields are checked and passed over.
struct ChunkedDecoder {
    private enum State {
        case firstDigit, size
        /// Blanks behind a size, which only an extension may follow.
        case blank
        case sizeExtension, sizeEnd
        case data
        case dataReturn, dataEnd
        case trailerStart, trailerName, trailerValue, trailerEnd, lastEnd
    }

    private let limits: ParsingLimits
    private var state = State.firstDigit
    /// Of the chunk, while its size is read; then what is left of it.
    private var size = 0
    private var digits = 0
    private var extensionLength = 0
    private var extras = 0
    private var total = 0

    init(limits: ParsingLimits) {
        self.limits = limits
    }

    /// - Parameter position: Where to go on in `bytes`; moved behind what was taken.
    mutating func next(in bytes: UnsafeRawBufferPointer, at position: inout Int) throws(FrontRefusal) -> BodyStep {
        while position < bytes.count {
            if state == .data {
                let end = position + min(size, bytes.count - position)
                defer { position = end }
                size -= end - position
                if size == 0 { state = .dataReturn }
                return .data(position..<end)
            }
            let byte = bytes[position]
            position += 1
            if try take(byte) { return .end }
        }
        return .needsMore
    }

    /// Whether the body ends with this byte.
    private mutating func take(_ byte: UInt8) throws(FrontRefusal) -> Bool {
        switch state {
        case .firstDigit, .size: try takeSize(byte)
        case .blank:
            if byte == UInt8(ascii: ";") {
                state = .sizeExtension
            } else if !ByteClass.isBlank(byte) {
                throw Self.malformedSize
            }
            try count(extensionByte: byte)
        case .sizeExtension:
            try takeText(byte, after: .sizeEnd)
            try count(extensionByte: byte)
        case .sizeEnd:
            try expectLineFeed(byte)
            total += size
            guard total <= limits.body else { throw FrontRefusal(413, "the body is larger than \(limits.body) bytes") }
            state = size == 0 ? .trailerStart : .data
        case .data: break
        case .dataReturn:
            guard byte == ByteClass.carriageReturn else {
                throw FrontRefusal(400, "a chunk is longer than its size, or its line end is malformed")
            }
            state = .dataEnd
        case .dataEnd:
            try expectLineFeed(byte)
            (state, digits, extensionLength) = (.firstDigit, 0, 0)
        case .trailerStart, .trailerName, .trailerValue, .trailerEnd, .lastEnd:
            return try takeTrailer(byte)
        }
        return false
    }

    private mutating func takeSize(_ byte: UInt8) throws(FrontRefusal) {
        if let value = ByteClass.hexValue(byte) {
            digits += 1
            // Zeros in front are as long as a number may be, too.
            guard digits < 16 else { throw FrontRefusal(413, "the size of a chunk has too many digits") }
            size = digits == 1 ? value : size << 4 | value
            state = .size
            return
        }
        guard state == .size else { throw Self.malformedSize }
        switch byte {
        case ByteClass.carriageReturn: state = .sizeEnd
        case UInt8(ascii: ";"): state = .sizeExtension
        case ByteClass.space, ByteClass.tab: state = .blank
        default: throw Self.malformedSize
        }
    }

    private mutating func takeTrailer(_ byte: UInt8) throws(FrontRefusal) -> Bool {
        try countExtra()
        switch state {
        case .trailerStart where byte == ByteClass.carriageReturn: state = .lastEnd
        case .trailerStart where ByteClass.isToken(byte): state = .trailerName
        case .trailerName where ByteClass.isToken(byte): break
        case .trailerName where byte == UInt8(ascii: ":"): state = .trailerValue
        case .trailerValue: try takeText(byte, after: .trailerEnd)
        case .trailerEnd:
            try expectLineFeed(byte)
            state = .trailerStart
        case .lastEnd:
            try expectLineFeed(byte)
            return true
        default: throw FrontRefusal(400, "a trailer field is malformed")
        }
        return false
    }

    /// A byte of a line's free part, or its end.
    private mutating func takeText(_ byte: UInt8, after end: State) throws(FrontRefusal) {
        if byte == ByteClass.carriageReturn {
            state = end
        } else if ByteClass.isControl(byte) {
            throw FrontRefusal(400, "the framing of the body holds a control character or a bare line feed")
        }
    }

    private mutating func count(extensionByte byte: UInt8) throws(FrontRefusal) {
        extensionLength += 1
        guard extensionLength <= limits.chunkExtension else {
            throw FrontRefusal(400, "a chunk's extension is too long")
        }
        try countExtra()
    }

    private mutating func countExtra() throws(FrontRefusal) {
        extras += 1
        guard extras <= limits.chunkExtras else {
            throw FrontRefusal(431, "chunk extensions and trailer fields are too long together")
        }
    }

    private func expectLineFeed(_ byte: UInt8) throws(FrontRefusal) {
        guard byte == ByteClass.lineFeed else {
            throw FrontRefusal(400, "a line in the body's framing does not end with CRLF")
        }
    }

    private static var malformedSize: FrontRefusal {
        FrontRefusal(400, "the size of a chunk is not a hexadecimal number")
    }
}
