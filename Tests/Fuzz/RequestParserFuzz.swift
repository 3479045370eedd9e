// A libFuzzer entry for the parser of HTTP requests, built by scripts/fuzz together with the parser's sources. In no
// target: it needs its own main, and a sanitizer.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard let selector = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    var limits = ParsingLimits()
    if selector & 1 == 1 {
        // Limits that an input of the fuzzer's size reaches.
        (limits.requestLine, limits.fields, limits.fieldCount, limits.body) = (40, 120, 6, 20)
        (limits.chunkExtension, limits.chunkExtras) = (8, 24)
    }
    let whole = Parsed(bytes, limits: limits) { bytes.count }
    var seed = UInt64(selector) << 8 | UInt64(count & 0xFF)
    let pieces = Parsed(bytes, limits: limits) {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 59) + 1
    }
    precondition(whole == pieces, "a message means something else when it is cut")
    precondition(whole == Parsed(bytes, limits: limits) { 1 }, "a message means something else byte by byte")
    return 0
}

/// What the parser made of some bytes, given to it in pieces.
private struct Parsed: Equatable {
    var heads: [RequestHead] = []
    var body: [UInt8] = []
    var ends = 0
    var refusal: FrontRefusal?

    init(_ bytes: [UInt8], limits: ParsingLimits, nextPiece: () -> Int) {
        var parser = RequestParser(limits: limits)
        var (taken, end) = (0, 0)
        while end < bytes.count {
            end = min(end + nextPiece(), bytes.count)
            // A copy of its own, so that the address sanitizer sees a read of one byte too many.
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: end - taken, alignment: 1)
            defer { piece.deallocate() }
            piece.copyBytes(from: bytes[taken..<end])
            do throws(FrontRefusal) {
                taken += try take(UnsafeRawBufferPointer(piece), &parser)
            } catch {
                precondition((400...505).contains(error.status) && !error.reason.isEmpty)
                refusal = error
                return
            }
        }
    }

    private mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ parser: inout RequestParser
    ) throws(FrontRefusal) -> Int {
        var position = 0
        while true {
            let before = position
            switch try parser.next(in: bytes, at: &position) {
            case .needsMore: return position
            case .head(let head):
                check(head)
                heads.append(head)
            case .data(let place):
                precondition(!place.isEmpty && place.lowerBound >= before && place.upperBound == position)
                body += bytes[place]
            case .end: ends += 1
            }
        }
    }

    /// Nothing that a reader with other habits could take for something else.
    private func check(_ head: RequestHead) {
        var rest = head.bytes[...]
        while let end = rest.firstIndex(of: 0x0D) {
            precondition(rest[end + 1] == 0x0A, "a bare carriage return")
            rest = rest[(end + 2)...]
        }
        precondition(!head.bytes.contains(0) && rest.isEmpty)
        precondition(head.bytes.count { $0 == 0x0A } == head.fields.count + 1, "a line more or less than fields")
        var names: [[UInt8]: Int] = [:]
        for field in head.fields {
            precondition(!head.name(field).isEmpty && head.name(field).allSatisfy(ByteClass.isToken))
            precondition(!head.value(field).contains { ByteClass.isControl($0) })
            names[head.name(field).map { ByteClass.isLetter($0) ? $0 | 0x20 : $0 }, default: 0] += 1
        }
        let (lengths, codings) = (
            names[Array("content-length".utf8), default: 0], names[Array("transfer-encoding".utf8), default: 0]
        )
        precondition(lengths + codings <= 1 && names[Array("host".utf8), default: 0] <= 1)
        precondition(head.framing != .chunked || (codings == 1 && head.minorVersion == 1))
        precondition(head.minorVersion == 0 || names[Array("host".utf8)] == 1)
    }
}
