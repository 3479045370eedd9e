import LarderServer
import Testing

@Suite struct ServerRequestTests {
    struct Target: Sendable, CustomTestStringConvertible {
        let text: String
        let path: String
        let query: [String]
        var testDescription: String { text }

        init(_ text: String, _ path: String, _ query: [String] = []) {
            (self.text, self.path, self.query) = (text, path, query)
        }
    }

    @Test(arguments: [
        Target("/", "/"),
        Target("/timeline?limit=20&max_id=7", "/timeline", ["limit=20", "max_id=7"]),
        Target("/caf%C3%A9?q=a+b%26c", "/café", ["q=a b&c"]),
        Target("/a?x&y=&z=1=2", "/a", ["x=", "y=", "z=1=2"]),
        Target("/a?", "/a"),
        Target("/bad%ZZ%", "/bad%ZZ%"),
        Target("/a?to=http://b/c", "/a", ["to=http://b/c"]),
        Target("http://example.test/x?y=1", "/x", ["y=1"]),
        Target("http://example.test", "/"),
        Target("http://example.test?y=1", "/", ["y=1"]),
    ])
    func aTargetIsTakenApart(_ target: Target) {
        let request = ServerRequest(target: target.text)
        #expect(request.target == target.text)
        #expect(request.path == target.path)
        #expect(request.query.map { "\($0.name)=\($0.value)" } == target.query)
    }
}
