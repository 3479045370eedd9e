import LarderKit
import Testing

@testable import LarderServer

@Suite struct FrontRequestTests {
    private func request(_ text: String) throws -> FrontRequest {
        var parser = HeadParser(limits: ParsingLimits())
        let step = try Array(text.utf8).withUnsafeBytes { try parser.parse($0) }
        guard case .head(let head, _) = step else { throw FrontRefusal(400, "it is not complete") }
        return FrontRequest(head: head, peer: "127.0.0.1")
    }

    @Test func itsPartsAreMadeWhenTheyAreAskedFor() throws {
        let request = try request("REPORT /a%2Fb?c HTTP/1.1\r\nhost: b:1\r\nX-A: 1\r\nx-a:2\r\n\r\n")
        #expect((request.method, request.target, request.path) == ("REPORT", "/a%2Fb?c", "/a%2Fb?c"))
        #expect(request.authority == "b:1")
        #expect(request.values(of: "x-a") == ["1", "2"])
        #expect(request.headers.fields.map(\.name) == ["host", "X-A", "x-a"])
        #expect(try self.request("GET http://b?c HTTP/1.1\r\nHost: a\r\n\r\n").path == "/?c")
        #expect(try self.request("GET http://b HTTP/1.1\r\nHost: a\r\n\r\n").path == "/")
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\nCookie: b\r\nAccept: c\r\n\r\n", true),
        ("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ("get / HTTP/1.1\r\nHost: a\r\n\r\n", false), ("GET / HTTP/1.1\r\nHost: a\r\nRANGE: b\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nIf-Modified-Since: b\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nif-range: b\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nPragma: b\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nCache-Control: b\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: b\r\n\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n", false),
    ])
    func onlyThePlainestGetIsCalledPlain(text: String, isPlain: Bool) throws {
        #expect(try request(text).isPlainGet == isPlain)
    }

    @Test func oneThingHasOneKeyHoweverItIsAskedFor() throws {
        let key = try request("GET /x?y HTTP/1.1\r\nHost: a\r\n\r\n").key
        #expect(try request("GET /x?y HTTP/1.1\r\nAccept: z\r\nHost: a\r\n\r\n").key == key)
        #expect(try request("GET http://a/x?y HTTP/1.1\r\nHost: b\r\n\r\n").key == key)
        #expect([key.compact: 1][key] == 1)
        #expect(try request("GET /x?z HTTP/1.1\r\nHost: a\r\n\r\n").key != key)
        #expect(try request("GET /x?y HTTP/1.1\r\nHost: ab\r\n\r\n").key != key)
    }
}
