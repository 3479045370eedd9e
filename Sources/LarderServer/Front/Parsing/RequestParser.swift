/// Reads one request after another from the bytes of a connection.
///
/// A value without I/O: what it finds depends on the bytes alone, not on how they were cut on their way.
struct RequestParser {
    enum Step {
        /// Nothing more can be told from what has come. What lies behind the position is to be given again.
        case needsMore
        case head(RequestHead)
        /// Bytes of the body, by their place among those that were given.
        case data(Range<Int>)
        /// The request is whole; what follows is the next one.
        case end
    }

    private let limits: ParsingLimits
    private var head: HeadParser
    private var body: BodyDecoder?

    init(limits: ParsingLimits) {
        self.limits = limits
        head = HeadParser(limits: limits)
    }

    /// Whether the beginning of a request has come, and its head is not complete.
    var isInsideHead: Bool { body == nil && !head.isEmpty }

    /// - Parameter position: Where the first byte stands in `bytes` that was not taken yet; moved behind what is taken.
    /// - Throws: Once; nothing is to be asked of it afterwards.
    mutating func next(in bytes: UnsafeRawBufferPointer, at position: inout Int) throws(FrontRefusal) -> Step {
        if body != nil {
            switch try body?.next(in: bytes, at: &position) {
            case .data(let place): return .data(place)
            case .end:
                body = nil
                return .end
            case .needsMore, nil: return .needsMore
            }
        }
        switch try head.parse(UnsafeRawBufferPointer(rebasing: bytes[position...])) {
        case .needsMore: return .needsMore
        case .head(let head, let count):
            position += count
            self.head = HeadParser(limits: limits)
            body = BodyDecoder(head.framing, limits: limits)
            return .head(head)
        }
    }
}
