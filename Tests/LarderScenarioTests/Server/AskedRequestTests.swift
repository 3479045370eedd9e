import Testing

@testable import LarderScenarios

struct AskedRequestTests {
    private let base = "https://api.example.test/t"

    @Test(arguments: [
        "https://api.example.test/other?x=1", "https://api.example.test:443/t", "HTTPS://API.EXAMPLE.TEST/t",
    ])
    func sameOrigin(_ url: String) {
        #expect(!AskedRequest(url: url, isAuthorized: true).isElsewhere(than: base))
    }

    @Test(arguments: [
        "https://api.example.test@evil.example/steal", "http://api.example.test/t", "https://evil.example/t",
        "https://api.example.test:444/t", "//evil.example/t", "/\\evil.example/t", "t",
    ])
    func otherOrigin(_ url: String) {
        #expect(AskedRequest(url: url, isAuthorized: true).isElsewhere(than: base))
    }

    @Test func aLimitCountsOnlyWhereItIsNamed() {
        let request = AskedRequest(url: base + "?max_id=3&limit=20", isAuthorized: false)
        #expect(request.asks(for: base + "?max_id=3"))
        #expect(request.asks(for: base + "?limit=20&max_id=3"))
        #expect(!request.asks(for: base + "?limit=10&max_id=3"))
        #expect(!request.asks(for: base + "?max_id=4"))
    }
}
