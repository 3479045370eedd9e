import LarderKit
import Testing

@testable import LarderHTTPCache

struct KeyTests {
    @Test(
        arguments: [
            ("http://h.test/r", "http://h.test/r"), ("HTTP://H.Test/R", "http://h.test/R"),
            ("http://h.test", "http://h.test/"),
            ("http://h.test?q=1", "http://h.test/?q=1"), ("http://h.test:80/", "http://h.test/"),
            ("https://h.test:443", "https://h.test/"),
            ("https://h.test:80/", "https://h.test:80/"), ("http://h.test:/", "http://h.test/"),
            ("http://h.test/r#x", "http://h.test/r"),
            ("http://h.test#x", "http://h.test/"), ("http://[::1]:8080/a", "http://[::1]:8080/a"),
            ("http://[::1]/a", "http://[::1]/a"),
            ("http://h.test/%7Ea/../b//c?x=1&y=%20", "http://h.test/%7Ea/../b//c?x=1&y=%20"),
            ("http://h.test/?", "http://h.test/?"),
            ("http://h.test/a?b=http://c/", "http://h.test/a?b=http://c/"),
            ("http://h.test/a@b:c", "http://h.test/a@b:c"),
            ("ftp://h.test/", nil), ("/r", nil), ("http:/r", nil), ("http://", nil), ("http:///r", nil),
            ("http://:80/", nil),
            ("http://u:p@h.test/", nil), ("http://h.test:8x/", nil), ("http://h.test/a b", nil),
            ("http://h.test\\@x/", nil),
            ("http://[::1/", nil), ("http://[::1]x/", nil), ("", nil), ("http://h.test/\n", nil),
        ] as [(String, String?)])
    func aKeyIsTheURIAndNothingElse(url: String, key: String?) {
        #expect(HTTPRules.key(of: url) == key)
        if let key { #expect(HTTPRules.key(of: key) == key) }
    }

    @Test func aCacheStatusSaysWhatHappened() {
        var facts = CacheStatusFacts()
        #expect(HTTPRules.cacheStatus(facts) == "Larder")
        facts.isHit = true
        facts.timeToLive = -5
        #expect(HTTPRules.cacheStatus(facts) == "Larder; hit; ttl=-5")
        facts = CacheStatusFacts()
        facts.forwarded = .varyMiss
        facts.forwardStatus = 200
        facts.isStored = true
        facts.isCollapsed = true
        facts.detail = "offline-rule"
        #expect(
            HTTPRules.cacheStatus(facts)
                == "Larder; fwd=vary-miss; fwd-status=200; stored; collapsed; detail=offline-rule")
        facts = CacheStatusFacts()
        facts.detail = "a \"b\" \\ \u{FC}"
        #expect(HTTPRules.cacheStatus(facts) == "Larder; detail=\"a \\\"b\\\" \\\\ ??\"")
    }

    @Test func whatIsLeftOfFreshnessIsCountedDown() {
        let facts = FreshnessFacts(.noon("Cache-Control: max-age=60"), .private)
        #expect(HTTPRules.timeToLive(facts, now: Noon.plus(1)) == 59)
        #expect(HTTPRules.timeToLive(facts, now: Noon.plus(70.5)) == -10)
    }
}
