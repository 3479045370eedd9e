import Foundation

/// Takes the chunks off a body (RFC 9112 section 7.1).
///
/// Strict: lines end with CR LF, sizes are hexadecimal digits, nothing may follow. Extensions of chunks are ignored and
/// trailers dropped, each up to a limit.
struct AnswerChunkDecoder {
    enum Fault: Error {
        case size
        case lineEnd
        case tooLong
        case surplus
    }

    private enum State {
        case size
        case blanks
        case extensions
        case sizeLineEnd
        case data
        case dataEnd
        case dataLineEnd
        /// At the beginning of a line behind the last chunk.
        case trailer
        case trailerLine
        case trailerLineEnd
        case lastLineEnd
        case done
    }

    static let extensionLimit = 4096
    static let trailerLimit = 64 << 10

    private var state = State.size
    private var left: UInt64 = 0
    private var digits = 0
    private var ignored = 0

    /// Whether the last chunk and the trailers have come.
    var isDone: Bool { state == .done }

    /// The data in the next bytes.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Data {
        var data = Data()
        var position = 0
        while position < bytes.count {
            if state == .data {
                let count = Int(min(left, UInt64(bytes.count - position)))
                data.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
                position += count
                left -= UInt64(count)
                if left == 0 { state = .dataEnd }
            } else {
                try step(bytes[position])
                position += 1
            }
        }
        return data
    }

    private mutating func step(_ byte: UInt8) throws(Fault) {
        switch state {
        case .size: try takeSize(byte)
        case .blanks where byte.isBlank: try ignore(byte, upTo: Self.extensionLimit, then: .sizeLineEnd)
        case .blanks: try endSize(byte)
        case .extensions: try ignore(byte, upTo: Self.extensionLimit, then: .sizeLineEnd)
        case .sizeLineEnd:
            try expect(0x0A, byte)
            state = left == 0 ? .trailer : .data
            digits = 0
            ignored = 0
        case .data: break
        case .dataEnd:
            try expect(0x0D, byte)
            state = .dataLineEnd
        case .dataLineEnd:
            try expect(0x0A, byte)
            state = .size
        case .trailer where byte == 0x0D: state = .lastLineEnd
        case .trailer, .trailerLine:
            state = .trailerLine
            try ignore(byte, upTo: Self.trailerLimit, then: .trailerLineEnd)
        case .trailerLineEnd:
            try expect(0x0A, byte)
            state = .trailer
        case .lastLineEnd:
            try expect(0x0A, byte)
            state = .done
        case .done: throw .surplus
        }
    }

    private mutating func takeSize(_ byte: UInt8) throws(Fault) {
        if let digit = byte.hexDigit {
            digits += 1
            // No body is longer than 15 digits tell, and zeros in front have no end otherwise.
            guard digits < 16 else { throw .size }
            left = left << 4 | UInt64(digit)
            return
        }
        guard digits > 0 else { throw .size }
        // Blanks behind a size are bad form that must be understood (RFC 9112 section 7.1.1).
        if byte.isBlank { state = .blanks } else { try endSize(byte) }
    }

    private mutating func endSize(_ byte: UInt8) throws(Fault) {
        switch byte {
        case 0x0D: state = .sizeLineEnd
        case 0x3B: state = .extensions
        default: throw .size
        }
    }

    private mutating func ignore(_ byte: UInt8, upTo limit: Int, then next: State) throws(Fault) {
        ignored += 1
        guard ignored <= limit else { throw .tooLong }
        if byte == 0x0A { throw .lineEnd }
        if byte == 0x0D { state = next }
    }

    private func expect(_ expected: UInt8, _ byte: UInt8) throws(Fault) {
        guard byte == expected else { throw .lineEnd }
    }
}

extension UInt8 {
    fileprivate var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
