import LarderServer
import Testing

@testable import LarderCLI

@Suite struct ProxyStatusLineTests {
    private func summary(_ results: [ProxyResult: Int], asked: Int) -> String {
        var facts = ProxyFacts()
        facts.counts.results = results
        facts.counts.originRequests = asked
        return ProxyStatusLine.summary(facts)
    }

    @Test func whatWasServedIsToldWithoutTheProxysOwnPages() {
        #expect(summary([.own: 4], asked: 0) == "No requests.")
        #expect(summary([.miss: 1, .own: 4], asked: 1) == "1 request, 0 % from the cache, 1 sent to origins.")
        #expect(
            summary([.hit: 6, .stale: 2, .failed: 1, .miss: 1], asked: 4)
                == "10 requests, 80 % from the cache, 4 sent to origins, 2 served stale or offline, 1 failed.")
    }
}
