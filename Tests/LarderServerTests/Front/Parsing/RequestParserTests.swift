import Testing

@testable import LarderServer

@Suite struct RequestParserTests {
    @Test(arguments: RequestSamples.refused)
    func whatCouldBeReadInTwoWaysIsRefused(sample: (text: String, status: Int)) {
        let stream = ParsedStream(sample.text)
        #expect(stream.refusal?.status == sample.status, "\(sample.text.prefix(100).debugDescription)")
        #expect(stream.requests.isEmpty)
    }

    @Test(arguments: RequestSamples.refusedBodies)
    func aMalformedChunkedBodyIsRefused(sample: (text: String, status: Int)) {
        let stream = ParsedStream(RequestSamples.chunkedHead + sample.text)
        #expect(stream.refusal?.status == sample.status, "\(sample.text.prefix(100).debugDescription)")
        #expect(stream.requests.count == 1)
        #expect(stream.requests.first?.isWhole == false)
    }

    @Test(arguments: RequestSamples.valid)
    func aMessageMeansTheSameWhereverItIsCut(text: String) {
        let bytes = Array(text.utf8)
        let whole = ParsedStream(bytes, pieces: [])
        #expect(whole.refusal == nil)
        #expect(!whole.requests.isEmpty && whole.requests.allSatisfy(\.isWhole))
        #expect(ParsedStream(bytes, pieces: Array(bytes.indices)) == whole)
        for cut in bytes.indices { #expect(ParsedStream(bytes, pieces: [cut]) == whole) }
    }

    @Test func aRefusalIsTheSameWhereverTheMessageIsCut() {
        let bodies = RequestSamples.refusedBodies.map { RequestSamples.chunkedHead + $0.text }
        for text in RequestSamples.refused.map(\.text) + bodies where text.utf8.count < 1000 {
            let bytes = Array(text.utf8)
            let whole = ParsedStream(bytes, pieces: [])
            #expect(ParsedStream(bytes, pieces: Array(bytes.indices)) == whole)
            for cut in bytes.indices { #expect(ParsedStream(bytes, pieces: [cut]) == whole) }
        }
    }

    @Test func aPrefixOfAValidMessageIsNeverRefused() {
        for text in RequestSamples.valid {
            let bytes = Array(text.utf8)
            for end in bytes.indices { #expect(ParsedStream(Array(bytes[..<end]), pieces: []).refusal == nil) }
        }
    }

    @Test func fieldsKeepTheirOrderCaseAndBytes() {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nX-A:1\r\nx-a: \t2 3 \t\r\nX-Empty:   \r\nX-B: "
        let bytes = Array(text.utf8) + [0xE9, 0xFF, 0x09, 0x80] + Array("\r\n\r\n".utf8)
        let request = ParsedStream(bytes, pieces: []).requests.first
        #expect(request?.fields == ["Host=a", "X-A=1", "x-a=2 3", "X-Empty=", "X-B=\u{e9}\u{ff}\t\u{80}"])
    }

    @Test(arguments: [
        ("GET http://b:81/x?y HTTP/1.1\r\nHost: a\r\n\r\n", "b:81", "/x?y"),
        ("GET HTTP://b?y HTTP/1.1\r\nHost: a\r\n\r\n", "b", "?y"),
        ("GET /x HTTP/1.1\r\nHost: a:80\r\n\r\n", "a:80", "/x"), ("GET /x HTTP/1.0\r\n\r\n", "", "/x"),
    ])
    func theAuthorityOfAnAbsoluteTargetWins(text: String, authority: String, path: String) {
        let request = ParsedStream(text).requests.first
        #expect(request?.authority == authority)
        #expect(request?.line.split(separator: " ").dropFirst(2).first.map(String.init) == path)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", true), ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: a,close ,b\r\n\r\n", false), ("GET / HTTP/1.0\r\n\r\n", false),
        ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
        ("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", false),
    ])
    func theConnectionGoesOnWhereBothSidesWantIt(text: String, keepsAlive: Bool) {
        #expect(ParsedStream(text).requests.first?.keepsAlive == keepsAlive)
    }

    @Test func partsOfExactlyTheLimitAreTaken() {
        var limits = ParsingLimits()
        (limits.requestLine, limits.fields, limits.fieldCount, limits.body) = (14, 16, 2, 4)
        #expect(ParsedStream("GET / HTTP/1.1\r\nHost: a\r\nB: 12\r\n\r\n", limits: limits).refusal == nil)
        #expect(ParsedStream("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", limits: limits).refusal?.status == 414)
        #expect(ParsedStream("GET / HTTP/1.1\r\nHost: a\r\nB: 123\r\n\r\n", limits: limits).refusal?.status == 431)
        #expect(ParsedStream("GET / HTTP/1.1\r\nHost:a\r\nB:\r\nC:\r\n\r\n", limits: limits).refusal?.status == 431)
        limits = ParsingLimits()
        limits.body = 4
        #expect(ParsedStream(RequestSamples.chunkedHead + "4\r\nabcd\r\n0\r\n\r\n", limits: limits).refusal == nil)
        #expect(ParsedStream(RequestSamples.chunkedHead + "2\r\nab\r\n3\r\n", limits: limits).refusal?.status == 413)
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: "
        #expect(ParsedStream(head + "4\r\n\r\nabcd", limits: limits).requests.first?.isWhole == true)
        #expect(ParsedStream(head + "5\r\n\r\n", limits: limits).refusal?.status == 413)
    }
}
