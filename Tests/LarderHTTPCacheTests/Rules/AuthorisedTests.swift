import LarderKit
import Testing

@testable import LarderHTTPCache

/// What was asked for with `Authorization`, in caches of many (RFC 9111 section 3.5).
struct AuthorisedTests {
    private let request = HTTPRequestHead.get("http://h.test/r", "Authorization: A")

    @Test(arguments: [
        ("no-cache, no-store, must-revalidate", false), ("no-store", false), ("no-store, public", true),
        ("no-store, s-maxage=1", true),
    ])
    func aRuleKeepsOnlyWhatIsForAll(control: String, isKept: Bool) {
        for client in [nil, "a"] {
            var context = ReuseContext.at(0, .shared)
            context.client = client
            context.rule = OfflineRule(keepsNoStore: true, servesUnvalidated: true)
            let plan = HTTPRules.store(200, "Cache-Control: \(control)", to: request, context)
            #expect(plan.stored?.isKeptByRule == (isKept ? true : nil))
            #expect(plan.reason == (isKept ? nil : .authorization))
        }
    }

    @Test(arguments: [
        ("max-age=1, must-revalidate", false), ("no-cache, must-revalidate", false),
        ("max-age=1, must-revalidate, public", true), ("s-maxage=1", true),
    ])
    func aRuleServesUnvalidatedOnlyWhatIsForAll(control: String, isServed: Bool) {
        var context = ReuseContext.at(0, .shared)
        context.rule = OfflineRule(keepsNoStore: true, servesUnvalidated: true)
        let plan = HTTPRules.store(200, "Cache-Control: \(control)\nETag: \"a\"", to: request, context)
        guard let stored = plan.stored else {
            Issue.record("not stored: \(control)")
            return
        }
        context.now = Noon.plus(10)
        let asked = HTTPRules.plan(.get(), [stored], context).asked
        #expect(asked?.validates == 0)
        #expect((asked?.ifUnreachable != nil) == isServed)
        context.isOffline = true
        #expect((HTTPRules.plan(.get(), [stored], context).served?.isByRule == true) == isServed)
    }

    /// Two caches of different kinds may stand over one folder.
    @Test(arguments: [
        ("max-age=60", false), ("max-age=60, private", false), ("max-age=60, public", true), ("s-maxage=60", true),
        ("max-age=60, must-revalidate", true),
    ])
    func whatAPrivateCacheStoredForAnAccountIsNotForAll(control: String, isForAll: Bool) {
        let plan = HTTPRules.store(200, "Cache-Control: max-age=60, \(control)\nETag: \"a\"", to: request, .at(0))
        #expect(plan.stored?.isOfAuthorised == true)
        guard let stored = plan.stored else { return }
        #expect(HTTPRules.plan(request, [stored], .at(1)).served?.index == 0)
        for request in [request, .get()] {
            var context = ReuseContext.at(1, .shared)
            context.rule = OfflineRule(keepsNoStore: true, servesUnvalidated: true)
            let plan = HTTPRules.plan(request, [stored], context)
            #expect((plan.served != nil) == isForAll)
            #expect(plan.asked?.validates == nil)
            context.isOffline = true
            #expect((HTTPRules.plan(request, [stored], context).served != nil) == isForAll)
        }
    }

    @Test(arguments: ["no-store", "no-store, private"]) func norWhatARuleOfItsKept(control: String) {
        for request in control == "no-store" ? [request] : [request, .get()] {
            var context = ReuseContext.at(0)
            context.rule = OfflineRule(keepsNoStore: true)
            let kept = HTTPRules.store(200, "Cache-Control: \(control)", to: request, context).stored
            #expect(kept?.isKeptByRule == true)
            guard let kept else { return }
            context.isOffline = true
            #expect(HTTPRules.plan(.get(), [kept], context).served?.isByRule == true)
            context.kind = .shared
            #expect(HTTPRules.plan(.get(), [kept], context) == .refuse)
        }
    }

    @Test(arguments: [
        (CacheKind.shared, "Authorization: A", "", false), (.shared, "Authorization: A", "max-age=60", false),
        (.shared, "Authorization: A", "public", true), (.shared, "Authorization: A", "s-maxage=6", true),
        (.shared, "Authorization: A", "must-revalidate", true), (.shared, "", "", true),
        (.private, "Authorization: A", "", true),
    ])
    func fieldsOfAnAccountAreNotKeptForOthers(kind: CacheKind, lines: String, control: String, isKept: Bool) {
        let head = HTTPResponseHead(status: 304, headers: ["Cache-Control": control])
        #expect(HTTPRules.mayKeep(freshenedBy: head, to: .get("http://h.test/r", lines), kind) == isKept)
    }

    @Test func whatAnAccountFreshenedOrCompletedIsOfIt() {
        let stored = StoredAnswer.noon("ETag: \"a\"")
        let part = StoredAnswer.noon("ETag: \"a\"", status: 206, size: 5, part: .init(first: 0, last: 4, total: 10))
        for (request, isOf) in [(request, true), (.get(), false)] {
            let fresh = HTTPRules.freshened(
                stored, by: HTTPResponseHead(status: 304), asked: Noon.date, received: Noon.date, to: request)
            #expect(fresh?.isOfAuthorised == isOf)
            let updated = HTTPRules.updated(
                stored, byHead: HTTPResponseHead(status: 200), asked: Noon.date, received: Noon.date, to: request)
            #expect(updated?.isOfAuthorised == isOf)
            let rest = HTTPResponseHead(
                status: 206, headers: ["ETag": "\"a\"", "Content-Range": "bytes 5-9/10"])
            let whole = HTTPRules.continues(
                part, by: rest, from: 5, asked: Noon.date, received: Noon.date, to: request)
            #expect(whole?.isOfAuthorised == isOf)
        }
    }

    @Test func anAccountsRestIsNotAddedToWhatIsForAll() {
        let part = StoredAnswer.noon("ETag: \"a\"", status: 206, size: 5, part: .init(first: 0, last: 4, total: 10))
        #expect(HTTPRules.plan(request, [part], .at(1, .shared)).asked?.resumes == nil)
        #expect(HTTPRules.plan(request, [part], .at(1)).asked?.resumes != nil)
        #expect(HTTPRules.plan(.get(), [part], .at(1, .shared)).asked?.resumes != nil)
    }
}
