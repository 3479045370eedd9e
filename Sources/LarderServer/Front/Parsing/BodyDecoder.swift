/// What comes next of a body.
enum BodyStep: Hashable {
    case needsMore
    /// Bytes of the body, by their place among those that were looked at.
    case data(Range<Int>)
    case end
}

/// Tells the bytes of a request's body from its framing.
enum BodyDecoder {
    case left(Int)
    case chunked(ChunkedDecoder)

    init(_ framing: BodyFraming, limits: ParsingLimits) {
        self =
            switch framing {
            case .none: .left(0)
            case .length(let length): .left(length)
            case .chunked: .chunked(ChunkedDecoder(limits: limits))
            }
    }

    /// - Parameter position: Where to go on in `bytes`; moved behind what was taken.
    mutating func next(in bytes: UnsafeRawBufferPointer, at position: inout Int) throws(FrontRefusal) -> BodyStep {
        switch self {
        case .left(0): return .end
        case .left(let left):
            let end = position + min(left, bytes.count - position)
            guard position < end else { return .needsMore }
            defer { position = end }
            self = .left(left - (end - position))
            return .data(position..<end)
        case .chunked(var decoder):
            self = .left(0)
            defer { self = .chunked(decoder) }
            return try decoder.next(in: bytes, at: &position)
        }
    }
}
