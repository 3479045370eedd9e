@testable import LarderServer

/// What a parser made of some bytes, in a form that can be compared.
struct ParsedRequest: Hashable {
    var line = ""
    var fields: [String] = []
    var authority = ""
    var framing = BodyFraming.none
    var keepsAlive = false
    var body: [UInt8] = []
    var isWhole = false
}

struct ParsedStream: Hashable {
    var requests: [ParsedRequest] = []
    var refusal: FrontRefusal?

    /// Feeds the bytes in pieces, as a connection does: what was not taken is given again with more behind it.
    init(_ bytes: [UInt8], pieces: [Int], limits: ParsingLimits = ParsingLimits()) {
        var parser = RequestParser(limits: limits)
        var waiting: [UInt8] = []
        var start = 0
        for end in pieces + [bytes.count] {
            waiting += bytes[start..<end]
            start = end
            do throws(FrontRefusal) {
                let taken = try waiting.withUnsafeBytes { bytes in
                    Result { () throws(FrontRefusal) in try take(bytes, &parser) }
                }.get()
                waiting.removeFirst(taken)
            } catch {
                refusal = error
                return
            }
        }
    }

    init(_ text: String, limits: ParsingLimits = ParsingLimits()) {
        self.init(Array(text.utf8), pieces: [], limits: limits)
    }

    private mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ parser: inout RequestParser
    ) throws(FrontRefusal) -> Int {
        var position = 0
        while true {
            switch try parser.next(in: bytes, at: &position) {
            case .needsMore: return position
            case .head(let head): requests.append(ParsedRequest(head))
            case .data(let place): requests[requests.count - 1].body += bytes[place]
            case .end: requests[requests.count - 1].isWhole = true
            }
        }
    }
}

extension ParsedRequest {
    fileprivate init(_ head: RequestHead) {
        let parts = [head.method, head.target, head.path].map { Latin1.text(head.bytes[$0]) }
        line = (parts + ["1.\(head.minorVersion)", "\(head.form)", "\(head.traits.rawValue)"]).joined(separator: " ")
        fields = head.fields.map { "\(Latin1.text(head.name($0)))=\(Latin1.text(head.value($0)))" }
        authority = Latin1.text(head.bytes[head.authority])
        framing = head.framing
        keepsAlive = head.keepsAlive
    }
}
