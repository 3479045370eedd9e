import LarderKit
import Testing

@testable import LarderServer

@Suite struct AnswerHeadTests {
    private func head(_ lines: String...) -> AnswerHead {
        var head = AnswerHead()
        for line in lines { head.take(Array((line + "\r\n").utf8)) }
        return head
    }

    private func text(_ head: AnswerHead) -> [String] {
        head.headers.fields.map { "\($0.name)=\($0.value)" }
    }

    @Test func linesKeepTheirOrderCaseAndRepeats() {
        let head = head("HTTP/1.1 299 Odd Thing", "B: 1", "a:2  ", "b:\t3:4", "C:", "")
        #expect(head.status == 299)
        #expect(text(head) == ["B=1", "a=2", "b=3:4", "C="])
        #expect(head.problem == nil)
    }

    @Test func interimAnswersAndTrailersAreNoPartOfIt() {
        let head = head(
            "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/2 200", "A: 1", "", "Trailer-Field: x", "A: 2", "")
        #expect(head.status == 200)
        #expect(text(head) == ["A=1"])
        #expect(head.problem == nil)
    }

    @Test(arguments: [
        ["HTTP/1.1 OK", ""], ["HTTP/1.1", ""], ["HTTP/1.1 20 OK", ""],
        ["HTTP/1.1 200 OK", "A: 1", " folded", ""],
        ["HTTP/1.1 200 OK", "no colon", ""], ["HTTP/1.1 200 OK", ": no name", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 3", "content-length: 4", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 3", "Transfer-Encoding: chunked", ""],
    ])
    func aHeadThatCanBeReadInTwoWaysIsUnfit(lines: [String]) {
        var head = AnswerHead()
        for line in lines { head.take(Array((line + "\r\n").utf8)) }
        #expect(head.problem != nil)
    }

    @Test func theSameLengthTwiceIsOneLength() {
        #expect(head("HTTP/1.1 200 OK", "Content-Length: 3", "Content-Length: 3", "").problem == nil)
    }

    @Test func bytesThatAreNoUTF8LoseNothing() {
        var head = AnswerHead()
        head.take(Array("HTTP/1.1 200 OK\r\n".utf8))
        head.take([0x41, 0x3A, 0x20, 0xE9, 0x0D, 0x0A])
        head.take(Array("B: é\n".utf8))
        #expect(text(head) == ["A=\u{E9}", "B=é"])
    }
}
