import LarderHTTPCache
import LarderKit

/// Puts together the heads of an answer from the lines libcurl hands over, and judges them.
///
/// libcurl takes heads that two readers would frame in two ways; a cache must not. Trailers come through the same door
/// after the body: they are no part of a head and are left out.
struct AnswerHead {
    enum Event: Hashable {
        case interim(HTTPResponseHead)
        case final(HTTPResponseHead, AnswerFraming)
        /// What makes the answer unfit for use, in words that can follow "the answer is malformed:".
        case malformed(String)
    }

    /// In bytes, of all heads together.
    static let sizeLimit = 256 << 10
    static let interimLimit = 50

    private enum State {
        case expectingHead
        case inHead
        case done
    }

    private let requestMethod: String
    private var state = State.expectingHead
    private var version: Substring = ""
    private var head = HTTPResponseHead(status: 0)
    private var size = 0
    private var interimCount = 0

    init(answering requestMethod: String) {
        self.requestMethod = requestMethod
    }

    /// Takes one line, with or without its end.
    mutating func take(_ line: some BidirectionalCollection<UInt8>) -> Event? {
        guard state != .done else { return nil }
        size += line.count
        guard size <= Self.sizeLimit else { return malformed("its head is too large") }
        let line = line.withoutLineEnd
        // Either is taken for the end of a line or of a text by one reader or another (RFC 9110 section 5.5).
        guard !line.contains(0x0D), !line.contains(0) else { return malformed("a line of its head is broken") }
        if state == .expectingHead { return open(String(isoLatin1: line)) }
        return line.isEmpty ? close() : takeField(line)
    }

    private mutating func open(_ line: String) -> Event? {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count > 1, words[0].hasPrefix("HTTP/"), words[1].utf8.count == 3, let status = Int(words[1]),
            status >= 100
        else { return malformed("it has no status line") }
        state = .inHead
        version = words[0].dropFirst(5)
        head = HTTPResponseHead(status: status, reason: words.count > 2 ? String(words[2]) : "")
        return nil
    }

    private mutating func takeField(_ line: some BidirectionalCollection<UInt8>) -> Event? {
        guard line.first?.isBlank == false else { return malformed("a header line is folded") }
        guard let colon = line.firstIndex(of: 0x3A) else { return malformed("a header line has no name") }
        let rawName = line[..<colon]
        let name = rawName.withoutBlanksBehind
        guard HTTPToken.isValid(name) else { return malformed("the name of a header field is not a word") }
        let field = HeaderFields.Field(
            name: String(isoLatin1: name), value: String(isoLatin1: line[line.index(after: colon)...].withoutBlanks))
        // Blanks before the colon are dropped (RFC 9112 section 5.1), but not where libcurl then overlooks the field.
        guard name.count == rawName.count || !field.isFraming else {
            return malformed("a blank stands before the colon of a field that tells the length")
        }
        head.headers.append(name: field.name, value: field.value)
        return nil
    }

    private mutating func close() -> Event? {
        switch head.status {
        case 101:
            return malformed("it changes to a protocol that was not asked for")
        case 100..<200:
            state = .expectingHead
            interimCount += 1
            guard interimCount <= Self.interimLimit else { return malformed("it has too many interim answers") }
            return head.status == 100 ? nil : .interim(head)
        default:
            state = .done
            switch AnswerFraming.judge(head, version: version, requestMethod: requestMethod) {
            case .success(let framing):
                head.headers = head.headers.withOneLength
                return .final(head, framing)
            case .failure(let fault): return .malformed(fault.explanation)
            }
        }
    }

    private mutating func malformed(_ explanation: String) -> Event {
        state = .done
        return .malformed(explanation)
    }
}

extension HeaderFields {
    /// Repeats of the same length say it once (RFC 9110 section 8.6).
    fileprivate var withOneLength: HeaderFields {
        var isFirst = true
        return HeaderFields(
            fields.compactMap { field in
                guard field.name.lowercased() == "content-length" else { return field }
                guard isFirst else { return nil }
                isFirst = false
                let length = field.value.prefix { $0 != "," }
                return .init(name: field.name, value: String(length.utf8.withoutBlanks) ?? field.value)
            })
    }
}

extension BidirectionalCollection<UInt8> {
    var withoutLineEnd: SubSequence {
        var rest = self[...]
        if rest.last == 0x0A { rest = rest.dropLast() }
        if rest.last == 0x0D { rest = rest.dropLast() }
        return rest
    }

    var withoutBlanksBehind: SubSequence {
        var rest = self[...]
        while rest.last?.isBlank == true { rest = rest.dropLast() }
        return rest
    }

    /// Without the blanks around it, which are no part of a value (RFC 9110 section 5.5).
    var withoutBlanks: SubSequence { self.drop(while: \.isBlank).withoutBlanksBehind }
}

extension UInt8 {
    /// A space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }
}
