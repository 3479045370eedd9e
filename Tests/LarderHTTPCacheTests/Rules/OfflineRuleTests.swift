import LarderKit
import Testing

@testable import LarderHTTPCache

struct OfflineRuleTests {
    @Test(arguments: [
        ("*", "/", "http://any.test/x", true), ("h.test", "/", "http://h.test", true),
        ("H.test", "/", "http://h.TEST:80/", true),
        ("h.test", "/", "http://h.test:8080/", true), ("h.test:8080", "/", "http://h.test:8080/", true),
        ("h.test:8080", "/", "http://h.test/", false), ("h.test", "/", "http://a.h.test/", false),
        ("*.h.test", "/", "http://a.h.test/", true), ("*.h.test", "/", "http://b.a.h.test:1/", true),
        ("*.h.test", "/", "http://h.test/", false), ("*.h.test", "/", "http://ah.test/", false),
        ("*.h.test", "/", "http://.h.test/", false), ("[::1]", "/", "http://[::1]:8080/", true),
        ("*", "/api", "http://h.test/api", true), ("*", "/api", "http://h.test/api/1?x", true),
        ("*", "/api", "http://h.test/api?x", true),
        ("*", "/api", "http://h.test/apis", false), ("*", "/api/", "http://h.test/api/1", true),
        ("*", "/api/", "http://h.test/api", false),
        ("*", "/api", "http://h.test/API", false), ("*", "/api", "http://h.test/api/../secret", false),
        ("*", "/api", "http://h.test/api/%2E%2e/secret", false), ("*", "/api", "http://h.test/api/..%2Fsecret", false),
        ("*", "/api", "http://h.test/api/..x", true), ("*", "/", "http://h.test/../x", true),
        ("*", "/", "nonsense", false),
    ])
    func aRuleFitsHostAndPath(host: String, path: String, url: String, fits: Bool) {
        let rule = OfflineRule(host: host, path: path)
        #expect(OfflineRule.first(of: [rule], for: url) == (fits ? rule : nil))
    }

    @Test func theFirstThatFitsCounts() {
        let rules = [
            OfflineRule(host: "a.test"), OfflineRule(host: "*", path: "/x", servesUnvalidated: true),
            OfflineRule(keepsNoStore: true),
        ]
        #expect(OfflineRule.first(of: rules, for: "http://a.test/x") == rules[0])
        #expect(OfflineRule.first(of: rules, for: "http://b.test/x") == rules[1])
        #expect(OfflineRule.first(of: rules, for: "http://b.test/y") == rules[2])
        #expect(OfflineRule.first(of: [], for: "http://b.test/y") == nil)
    }

    @Test(arguments: [
        "no-cache", "max-age=1, must-revalidate", "max-age=1, stale-if-error=2", "max-age=1, proxy-revalidate",
        "s-maxage=1",
    ])
    func whatMayNotBeServedUnvalidatedIsServedByRuleAlone(control: String) {
        let stored = StoredAnswer.noon("Cache-Control: \(control)\nETag: \"a\"")
        var context = ReuseContext.at(10, .shared)
        for servesUnvalidated in [false, true] {
            context.rule = OfflineRule(keepsNoStore: true, servesUnvalidated: servesUnvalidated, limit: .seconds(10))
            context.isOffline = false
            let expected = servesUnvalidated ? Serving(index: 0, stale: .onError, isByRule: true) : nil
            #expect(HTTPRules.plan(.get(), [stored], context).asked?.ifUnreachable == expected)
            #expect(HTTPRules.plan(.get(), [stored], context).asked?.ifFails == expected)
            context.isOffline = true
            let plan = HTTPRules.plan(.get(), [stored], context)
            #expect(plan.served?.isByRule == (servesUnvalidated ? true : nil))
            #expect(plan.served?.stale == (servesUnvalidated ? .offline : nil))
            context.now = Noon.plus(11)
            #expect(HTTPRules.plan(.get(), [stored], context) == .refuse, "the limit is over")
            context.now = Noon.plus(10)
        }
    }

    @Test func whatIsKeptByRuleIsForWhenTheOriginCannotBeReached() {
        var context = ReuseContext.at(0)
        let lines = "Cache-Control: no-store, no-cache, must-revalidate, max-age=600\nETag: \"a\""
        #expect(HTTPRules.store(200, lines, context).reason == .noStore)
        context.rule = OfflineRule(servesUnvalidated: true)
        #expect(HTTPRules.store(200, lines, context).reason == .noStore)
        context.rule = OfflineRule(keepsNoStore: true)
        let kept = HTTPRules.store(200, lines, context).stored
        #expect(kept?.isKeptByRule == true)
        guard let kept else { return }
        let asked = HTTPRules.plan(.get(), [kept], context).asked
        #expect(asked?.reason == .miss)
        #expect(asked?.validates == nil)
        #expect(asked?.headers["If-None-Match"] == nil)
        #expect(asked?.ifUnreachable == Serving(index: 0, stale: .onError, isByRule: true))
        let only = HTTPRequestHead.get("http://h.test/r", "Cache-Control: only-if-cached, max-stale")
        #expect(HTTPRules.plan(only, [kept], context) == .refuse)
        context.isOffline = true
        #expect(HTTPRules.plan(.get(), [kept], context).served?.isByRule == true)
        context.rule = OfflineRule(servesUnvalidated: true)
        #expect(HTTPRules.plan(.get(), [kept], context) == .refuse)
        context.rule = nil
        #expect(HTTPRules.plan(.get(), [kept], context) == .refuse)
    }

    @Test func noRuleHandsOneClientsAnswerToAnother() {
        var context = ReuseContext.at(0, .shared)
        context.rule = OfflineRule(keepsNoStore: true, servesUnvalidated: true)
        let lines = "Cache-Control: private, no-store"
        #expect(HTTPRules.store(200, lines, context).reason == .isPrivate)
        context.client = "a"
        let kept = HTTPRules.store(200, lines, context).stored
        #expect(kept?.client == "a")
        #expect(HTTPRules.store(200, "Cache-Control: private", context).reason == .isPrivate)
        #expect(
            HTTPRules.store(200, "Cache-Control: no-store", to: .get("http://h.test/r", "Authorization: A"), context)
                .reason
                == .authorization)
        #expect(HTTPRules.store(404, "Cache-Control: no-store, max-age=60", context).reason == .notReusable)
        guard let kept else { return }
        context.isOffline = true
        #expect(HTTPRules.plan(.get(), [kept], context).served != nil)
        context.client = "b"
        #expect(HTTPRules.plan(.get(), [kept], context) == .refuse)
    }

    @Test func aNewerAnswerIsServedBeforeAnOlderOneThatARuleKept() {
        var context = ReuseContext.at(10)
        context.rule = OfflineRule(keepsNoStore: true)
        context.isOffline = true
        var kept = StoredAnswer.noon("Cache-Control: no-store\nDate: {+5}")
        kept.isKeptByRule = true
        let older = StoredAnswer.noon("Cache-Control: max-age=1\nDate: {+0}")
        #expect(HTTPRules.plan(.get(), [older, kept], context).served?.index == 1)
        kept.headers = HeaderFields(lines: "Cache-Control: no-store\nDate: {-5}")
        #expect(HTTPRules.plan(.get(), [older, kept], context).served?.index == 0)
    }
}
