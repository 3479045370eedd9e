import LarderHTTPCache
import LarderKit
import Testing

@testable import LarderServer

@Suite struct AnswerHeadTests {
    private func events(_ lines: [String], to method: String = "GET") -> [AnswerHead.Event] {
        var head = AnswerHead(answering: method)
        return lines.compactMap { head.take(Array(($0 + "\r\n").utf8)) }
    }

    private func final(_ lines: String..., to method: String = "GET") -> HTTPResponseHead? {
        guard case .final(let head, _)? = events(lines, to: method).last else { return nil }
        return head
    }

    private func framing(_ lines: [String], to method: String = "GET") -> AnswerFraming? {
        guard case .final(_, let framing)? = events(lines, to: method).last else { return nil }
        return framing
    }

    @Test func linesKeepTheirOrderCaseAndRepeats() {
        let head = final("HTTP/1.1 299 Odd  Thing", "B: 1", "a:2  ", "b:\t3:4", "C:", "")
        #expect(head?.status == 299)
        #expect(head?.reason == "Odd  Thing")
        #expect(head?.headers.fields.map { "\($0.name)=\($0.value)" } == ["B=1", "a=2", "b=3:4", "C="])
    }

    @Test func interimAnswersComeBeforeItAndTrailersAreNoPartOfIt() {
        let events = events([
            "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/2 200", "A: 1", "",
            "Trailer-Field: x", "A: 2", "", "HTTP/1.1 500 Oops", "",
        ])
        let hints = HTTPResponseHead(status: 103, reason: "Early Hints", headers: ["Link": "</a>"])
        #expect(events == [.interim(hints), .final(HTTPResponseHead(status: 200, headers: ["A": "1"]), .toTheEnd)])
    }

    @Test(arguments: [
        ["HTTP/1.1 OK", ""], ["HTTP/1.1", ""], ["HTTP/1.1 20 OK", ""], ["HTTP/1.1 099 OK", ""], ["ICY 200 OK", ""],
        ["HTTP/1.1 200 OK", "A: 1", " folded", ""], ["HTTP/1.1 200 OK", " folded", ""],
        ["HTTP/1.1 200 OK", "no colon", ""], ["HTTP/1.1 200 OK", ": no name", ""],
        ["HTTP/1.1 200 OK", "a name: x", ""], ["HTTP/1.1 200 OK", "A: \rx", ""], ["HTTP/1.1 200 OK", "A: \0x", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 3", "content-length: 4", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 3, 4", ""], ["HTTP/1.1 200 OK", "Content-Length: 3,", ""],
        ["HTTP/1.1 200 OK", "Content-Length: -3", ""], ["HTTP/1.1 200 OK", "Content-Length: +3", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 0x3", ""], ["HTTP/1.1 200 OK", "Content-Length:", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 9223372036854775808", ""],
        ["HTTP/1.1 200 OK", "Content-Length : 3", ""], ["HTTP/1.1 200 OK", "Transfer-Encoding\t: chunked", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 3", "Transfer-Encoding: chunked", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 3", "Transfer-Encoding: unheard-of", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 3", "Transfer-Encoding:", ""],
        ["HTTP/1.0 200 OK", "Transfer-Encoding: chunked", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked, unheard-of", ""],
        ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", ""],
        ["HTTP/1.1 204 OK", "Content-Length: 3", "Content-Length: 4", ""],
        ["HTTP/1.1 101 Switching Protocols", "Upgrade: x", ""],
    ])
    func aHeadThatCanBeReadInTwoWaysIsMalformed(lines: [String]) {
        guard case .malformed? = events(lines).first else {
            Issue.record("it was taken")
            return
        }
    }

    @Test(arguments: [["Content-Length: 3", "content-length:3"], ["Content-Length: 3, 3"]])
    func theSameLengthTwiceIsOneLength(lines: [String]) {
        let events = events(["HTTP/1.1 200 OK"] + lines + [""])
        #expect(
            events == [
                .final(HTTPResponseHead(status: 200, reason: "OK", headers: ["Content-Length": "3"]), .length(3))
            ])
    }

    @Test func theEndOfABodyIsFoundAsTheHeadTells() {
        #expect(framing(["HTTP/1.1 200", ""]) == .toTheEnd)
        #expect(framing(["HTTP/1.1 200", "Content-Length: 07", ""]) == .length(7))
        #expect(framing(["HTTP/1.1 200", "Transfer-Encoding: Chunked", ""]) == .chunked)
        #expect(framing(["HTTP/1.1 200", "Transfer-Encoding: unheard-of", ""]) == .toTheEnd)
        #expect(framing(["HTTP/1.1 204", "Content-Length: 7", ""]) == AnswerFraming.none)
        #expect(framing(["HTTP/1.1 304", "Transfer-Encoding: chunked", ""]) == AnswerFraming.none)
        #expect(framing(["HTTP/1.1 200", "Content-Length: 7", ""], to: "HEAD") == AnswerFraming.none)
        #expect(framing(["HTTP/1.1 205", "Content-Length: 0", ""]) == .length(0))
    }

    @Test func blanksBeforeAColonAreDropped() {
        #expect(final("HTTP/1.1 200 OK", "A \t: 1", "")?.headers == ["A": "1"])
    }

    @Test func aCharacterIsAByte() {
        var head = AnswerHead(answering: "GET")
        _ = head.take(Array("HTTP/1.1 200 ".utf8) + [0xFC, 0x0D, 0x0A])
        _ = head.take(Array("A: ".utf8) + [0xE9, 0xA0, 0x0D, 0x0A])
        _ = head.take(Array("B: é\n".utf8))
        let fields: HeaderFields = ["A": "\u{E9}\u{A0}", "B": "\u{C3}\u{A9}"]
        #expect(
            head.take([0x0A]) == .final(HTTPResponseHead(status: 200, reason: "\u{FC}", headers: fields), .toTheEnd))
    }

    @Test func anEndlessHeadIsRefused() {
        var head = AnswerHead(answering: "GET")
        _ = head.take(Array("HTTP/1.1 200 OK\r\n".utf8))
        let line = Array("A: \(String(repeating: "x", count: 1000))\r\n".utf8)
        var taken = 0
        while head.take(line) == nil, taken < 10_000 { taken += 1 }
        #expect((200...262).contains(taken))
    }

    @Test func aFloodOfInterimAnswersIsRefused() {
        var head = AnswerHead(answering: "GET")
        var taken = 0
        while taken < 1000 {
            _ = head.take(Array("HTTP/1.1 102 Processing\r\n".utf8))
            guard case .interim? = head.take([0x0D, 0x0A]) else { break }
            taken += 1
        }
        #expect(taken == AnswerHead.interimLimit)
    }
}
