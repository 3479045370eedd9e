import LarderKit
import Testing

@testable import LarderHTTPCache

/// Whole exchanges, one after another.
struct ExchangeTests {
    private func answer(_ status: Int = 200, _ lines: String = "", _ body: String = "") -> ScriptedCache.OriginAnswer {
        .answer(HTTPResponseHead(status: status, headers: HeaderFields(lines: lines)), body: body)
    }

    private func never(_ request: HTTPRequestHead) -> ScriptedCache.OriginAnswer {
        Issue.record("the origin is asked: \(request)")
        return .unreachable
    }

    @Test(arguments: CacheKind.allCases) func aStaleAnswerIsConfirmedOnceAndFreshAgain(kind: CacheKind) {
        var cache = ScriptedCache(kind: kind)
        _ = cache.send(.get()) { _ in answer(200, "Date: {+0}\nCache-Control: max-age=60\nETag: W/\"170ee1\"", "body") }
        cache.now = Noon.plus(61)
        let outcome = cache.send(.get()) { _ in answer(304, "Date: {+61}\nCache-Control: max-age=60\nETag: \"170ee1\"")
        }
        #expect(outcome.status == 200)
        #expect(outcome.body == "body")
        #expect(outcome.sent.map { $0.headers["If-None-Match"] } == ["W/\"170ee1\""])
        cache.now = Noon.plus(100)
        #expect(cache.send(.get(), never).body == "body")
    }

    @Test func a304ThatNamesSomethingElseIsAskedAgainOnceAndWithoutConditions() {
        var cache = ScriptedCache(kind: .private)
        _ = cache.send(.get()) { _ in answer(200, "ETag: \"a\"", "old") }
        let outcome = cache.send(.get()) { request in
            request.headers.has("If-None-Match") ? answer(304, "ETag: \"b\"") : answer(200, "ETag: \"b\"", "new")
        }
        #expect(outcome.body == "new")
        #expect(outcome.sent.count == 2)
    }

    @Test func theClientsConditionIsJudgedOnTheConfirmedAnswer() {
        var cache = ScriptedCache(kind: .shared)
        _ = cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=1\nLast-Modified: {-3000}", "body") }
        cache.now = Noon.plus(5)
        let request = HTTPRequestHead.get("http://h.test/r", "If-Modified-Since: {-3000}")
        let outcome = cache.send(request) { _ in answer(304) }
        #expect(outcome.status == 304)
        #expect(outcome.body == "")
        let other = HTTPRequestHead.get("http://h.test/r", "If-Modified-Since: {-9000}")
        #expect(cache.send(other) { _ in answer(304) }.body == "body")
    }

    @Test(arguments: [404, 410, 403, 401, 301]) func anAnswerIsNoFailure(status: Int) {
        var cache = ScriptedCache(kind: .private)
        _ = cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=60, stale-if-error=86400\nETag: \"v1\"", "1")
        }
        cache.now = Noon.plus(61)
        #expect(cache.send(.get()) { _ in answer(status) }.status == status)
        let later = cache.send(.get()) { _ in .unreachable }
        #expect(later.status == ([404, 410].contains(status) ? 504 : status == 301 ? 301 : 200))
    }

    @Test(arguments: [500, 502, 503, 504]) func aFailureIsBridgedWithinItsWindow(status: Int) {
        var cache = ScriptedCache(kind: .shared)
        _ = cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=1, stale-if-error=60", "1") }
        cache.now = Noon.plus(10)
        let outcome = cache.send(.get()) { _ in answer(status, "Cache-Control: max-age=600", "x") }
        #expect(outcome.body == "1")
        #expect(outcome.serving?.stale == .onError)
        #expect(cache.send(.get()) { _ in .unreachable }.body == "1")
        cache.now = Noon.plus(62)
        #expect(cache.send(.get()) { _ in answer(status) }.status == status)
        #expect(cache.send(.get()) { _ in .unreachable }.status == 504)
    }

    @Test func aFailureOrAPreliminaryAnswerReplacesNothing() {
        for status in [202, 503] {
            var cache = ScriptedCache(kind: .private)
            _ = cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=1", "good") }
            cache.now = Noon.plus(5)
            #expect(cache.send(.get()) { _ in answer(status, "Cache-Control: max-age=60", "{}") }.status == status)
            #expect(cache.send(.get()) { _ in .unreachable }.body == "good")
        }
    }

    @Test func staleIsServedWhileOneRequestRevalidates() {
        var cache = ScriptedCache(kind: .private)
        _ = cache.send(.get()) { _ in
            answer(200, "Cache-Control: max-age=1, stale-while-revalidate=10\nETag: \"1\"", "1")
        }
        cache.now = Noon.plus(5)
        let failed = cache.send(.get()) { _ in answer(500, "", "x") }
        #expect(failed.body == "1")
        #expect(failed.sent.map { $0.headers["If-None-Match"] } == ["\"1\""])
        #expect(
            cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=1, stale-while-revalidate=10", "2") }.body
                == "1")
        cache.now = Noon.plus(5.5)
        #expect(cache.send(.get(), never).body == "2")
        cache.now = Noon.plus(20)
        #expect(cache.send(.get()) { _ in answer(200, "", "3") }.body == "3")
    }

    @Test func unsafeRequestsInvalidateTheirOwnAndNoOther() {
        var cache = ScriptedCache(kind: .private)
        let fresh = "Cache-Control: max-age=600\nETag: \"a\""
        for path in ["r", "other", "r/7"] {
            _ = cache.send(.get("http://h.test/\(path)")) { _ in answer(200, fresh, path) }
        }
        let post = HTTPRequestHead(method: "POST", url: "http://h.test/r")
        _ = cache.send(post) { _ in answer(500) }
        #expect(cache.send(.get("http://h.test/r"), never).body == "r")
        #expect(
            cache.send(post) { _ in answer(201, "Location: /r/7\nCache-Control: max-age=600", "posted") }.body
                == "posted")
        #expect(cache.send(.get("http://h.test/other"), never).body == "other")
        #expect(cache.send(.get("http://h.test/r/7")) { _ in answer(304) }.body == "r/7")
        #expect(cache.send(.get("http://h.test/r")) { _ in .unreachable }.status == 504)
        #expect(cache.send(.get("http://h.test/r")) { _ in answer(304) }.body == "r")
        #expect(cache.send(.get("http://h.test/r"), never).body == "r")
    }

    @Test func aPostThatIsWhatAGetGetsServesIt() {
        var cache = ScriptedCache(kind: .shared)
        let post = HTTPRequestHead(method: "POST", url: "http://h.test/r")
        _ = cache.send(post) { _ in answer(200, "Cache-Control: max-age=600\nContent-Location: /r", "posted") }
        #expect(cache.send(.get(), never).body == "posted")
    }

    @Test func aHeadAnswerNeitherReplacesNorOutlivesTheBody() {
        var cache = ScriptedCache(kind: .private)
        _ = cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=600\nETag: \"1\"", "body") }
        let head = HTTPRequestHead(method: "HEAD", url: "http://h.test/r", headers: ["Cache-Control": "no-cache"])
        _ = cache.send(head) { _ in answer(200, "Content-Length: 4\nCache-Control: max-age=600\nETag: \"1\"\nX: 2") }
        let outcome = cache.send(.get(), never)
        #expect(outcome.body == "body")
        #expect(outcome.headers["X"] == "2")
        _ = cache.send(head) { _ in answer(200, "Content-Length: 5\nETag: \"2\"") }
        #expect(cache.send(.get()) { _ in answer(200, "", "other") }.body == "other")
    }

    @Test func variantsAreKeptSideBySide() {
        var cache = ScriptedCache(kind: .private)
        for language in ["en", "de"] {
            let request = HTTPRequestHead.get("http://h.test/r", "Accept-Language: \(language)")
            _ = cache.send(request) { _ in answer(200, "Cache-Control: max-age=600\nVary: accept-language", language) }
        }
        #expect(cache.send(.get("http://h.test/r", "ACCEPT-LANGUAGE: en"), never).body == "en")
        #expect(cache.send(.get("http://h.test/r", "accept-language: DE"), never).body == "de")
        #expect(cache.send(.get("http://h.test/r")) { _ in answer(200, "", "none") }.body == "none")
    }

    @Test func aBeginningIsCompletedAndThenServedWhole() {
        var cache = ScriptedCache(kind: .shared)
        let start = HTTPRequestHead.get("http://h.test/r", "Range: bytes=0-4")
        let lines = "Cache-Control: max-age=600\nETag: \"a\"\nContent-Range: bytes "
        #expect(cache.send(start) { _ in answer(206, lines + "0-4/10", "01234") }.status == 206)
        #expect(cache.send(.get("http://h.test/r", "Range: bytes=1-2"), never).body == "12")
        let outcome = cache.send(.get()) { _ in answer(206, lines + "5-9/10", "56789") }
        #expect(outcome.status == 200)
        #expect(outcome.body == "0123456789")
        #expect(outcome.sent.map { $0.headers["Range"] } == ["bytes=5-"])
        #expect(cache.send(.get(), never).body == "0123456789")
        #expect(cache.send(.get("http://h.test/r", "Range: bytes=-2"), never).body == "89")
    }

    @Test func aRestOfSomethingElseIsNotPutTogether() {
        var cache = ScriptedCache(kind: .shared)
        let lines = "Cache-Control: max-age=600\nContent-Range: bytes 0-4/10"
        _ = cache.send(.get("http://h.test/r", "Range: bytes=0-4")) { _ in answer(206, lines, "01234") }
        let outcome = cache.send(.get()) { request in
            request.headers["Range"] == nil
                ? answer(200, "", "abcdefghij") : answer(206, "Content-Range: bytes 5-9/10", "fghij")
        }
        #expect(outcome.body == "abcdefghij")
        #expect(outcome.sent.count == 2)
    }

    @Test func anOlderAnswerOutlivesANewerThatIsNotToBeStored() {
        var cache = ScriptedCache(kind: .shared)
        _ = cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=600", "1") }
        let reload = HTTPRequestHead.get("http://h.test/r", "Cache-Control: no-cache")
        #expect(cache.send(reload) { _ in answer(200, "Cache-Control: no-store", "2") }.body == "2")
        #expect(cache.send(.get(), never).body == "1")
        cache.now = Noon.plus(700)
        #expect(cache.send(.get()) { _ in answer(200, "Cache-Control: no-store", "3") }.body == "3")
        #expect(cache.send(.get()) { _ in .unreachable }.status == 504, "the stale one is over")
    }

    @Test func cookiesReachNoOtherClient() {
        var cache = ScriptedCache(kind: .shared)
        cache.client = "a"
        let lines = "Cache-Control: max-age=600\nSet-Cookie: session=aaaa"
        _ = cache.send(.get()) { _ in answer(200, lines, "hello a") }
        #expect(cache.send(.get(), never).headers["Set-Cookie"] == "session=aaaa")
        cache.client = "b"
        let other = cache.send(.get()) { _ in answer(200, "Cache-Control: max-age=600", "hello b") }
        #expect(other.body == "hello b")
        #expect(other.headers["Set-Cookie"] == nil)
    }

    @Test func offlineEverythingThatMayBeServedIs() {
        var cache = ScriptedCache(kind: .private)
        for (path, control) in [
            ("plain", ""), ("old", "max-age=1"), ("strict", "max-age=1, must-revalidate"), ("secret", "no-store"),
        ] {
            _ = cache.send(.get("http://h.test/\(path)")) { _ in answer(200, "Cache-Control: \(control)", path) }
        }
        cache.now = Noon.plus(86_400)
        cache.isOffline = true
        #expect(cache.send(.get("http://h.test/plain"), never).body == "plain")
        #expect(cache.send(.get("http://h.test/old"), never).serving?.stale == .offline)
        #expect(cache.send(.get("http://h.test/strict"), never).status == 504)
        #expect(cache.send(.get("http://h.test/secret"), never).status == 504)
        cache.rules = [OfflineRule(servesUnvalidated: true)]
        #expect(cache.send(.get("http://h.test/strict"), never).serving?.isByRule == true)
        #expect(cache.send(.get("http://h.test/secret"), never).status == 504)
    }
}
