import Testing

@testable import LarderCLI

@Suite struct EndpointTests {
    @Test(
        arguments: [
            "http://127.0.0.1:8080/items", "https://example.com", "HTTPS://example.com/a%2Fb?q=a+b&&x#part",
            "http://[::1]:80/", "http://localhost/?",
        ])
    func aGoodURLKeepsItsBytesButForTheFragment(url: String) throws {
        #expect(try Endpoint(url).url == url.prefix { $0 != "#" })
    }

    @Test(
        arguments: [
            "", "example.com/items", "/items", "ftp://example.com/", "http://", "http:///items", "http://exa mple/",
            "http://user@example.com/", "http://user:pass@example.com/", "http://example.com:0/",
            "http://example.com:65536/", "http://example.com/ä",
        ])
    func aWrongURLIsRefused(url: String) {
        #expect(throws: UsageError.self) { try Endpoint(url) }
    }

    @Test func theOriginIsAllThatMayBeNamed() throws {
        #expect(try Endpoint("HTTP://Example.com:81/secret?token=1").origin == "http://Example.com:81")
        #expect(try Endpoint("http://[::1]:80/").origin == "http://[::1]:80")
    }

    @Test(
        arguments: [
            ("http://127.0.0.1/", true), ("http://localhost/", true), ("http://[::1]/", true),
            ("http://example.com/?localhost", false),
        ])
    func aHostOnThisMachineIsKnown(url: String, isLoopback: Bool) throws {
        #expect(try Endpoint(url).isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            ("http://a/", "http://a/?max=1%2B2&n=3"), ("http://a/?", "http://a/?max=1%2B2&n=3"),
            ("http://a/?q=%20+x", "http://a/?q=%20+x&max=1%2B2&n=3"), ("http://a/?q&", "http://a/?q&max=1%2B2&n=3"),
        ])
    func parametersGoBehindWhatIsThere(url: String, with: String) throws {
        #expect(try Endpoint(url).adding([("max", "1+2"), ("n", "3")]) == with)
        #expect(try Endpoint(url).adding([]) == url)
    }

    @Test(
        arguments: [
            ("http://a/?limit=3&q=%20&x", "http://a/?q=%20&x"), ("http://a/?q&lim%69t=3&limit", "http://a/?q"),
            ("http://a/?limit=3", "http://a/"), ("http://a/?limits=3", "http://a/?limits=3"),
            ("http://a/", "http://a/"),
        ])
    func aParameterIsTakenOutAndTheRestStays(url: String, without: String) throws {
        #expect(try Endpoint(url).removing("limit").url == without)
    }

    @Test func valuesAreReadWithTheirEscapesUndone() throws {
        #expect(try Endpoint("http://a/?n=1&m=2&n=a%20b+c&n").values(of: "n") == ["1", "a b c", ""])
    }

    @Test func secretsOfAStoredURLAreNotShown() {
        #expect(
            Endpoint.shown("http://a/?q=1&access_token=x&api%5Fkey=y&keyboard=z")
                == "http://a/?q=1&access_token=…&api%5Fkey=…&keyboard=z")
        #expect(Endpoint.shown("http://a/token=x") == "http://a/token=x")
    }
}
