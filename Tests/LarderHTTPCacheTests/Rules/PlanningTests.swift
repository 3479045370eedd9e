import LarderKit
import Testing

@testable import LarderHTTPCache

struct PlanningTests {
    enum Expected: Sendable {
        case fresh
        case stale(Serving.StaleReason)
        case asked(Asking.Reason)
        case refused
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var id: String
        var section: String
        var kinds: [CacheKind] = CacheKind.allCases
        var headers: String
        var at = 10.0
        var request = ""
        var isOffline = false
        var expected: Expected
        var testDescription: String { "\(id) (\(section))" }
    }

    private static let rows = [
        Row(id: "fresh", section: "4", headers: "Cache-Control: max-age=60", expected: .fresh),
        Row(id: "stale", section: "4", headers: "Cache-Control: max-age=5", expected: .asked(.stale)),
        Row(
            id: "no-cache", section: "5.2.2.4", headers: "Cache-Control: max-age=60, no-cache", expected: .asked(.stale)
        ),
        Row(
            id: "no-cache for a field", section: "5.2.2.4", headers: "Cache-Control: max-age=60, no-cache=\"X\"",
            expected: .asked(.stale)),
        Row(
            id: "must-revalidate, fresh", section: "5.2.2.2", headers: "Cache-Control: max-age=60, must-revalidate",
            expected: .fresh),
        Row(
            id: "Pragma in an answer", section: "5.4", headers: "Cache-Control: max-age=60\nPragma: no-cache",
            expected: .fresh),
        Row(
            id: "unknown words", section: "5.2.3", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: nothing-to-see-here\nPragma: foo", expected: .fresh),
        Row(
            id: "cookies asked with", section: "4", headers: "Cache-Control: max-age=60", request: "Cookie: a=b",
            expected: .fresh),

        Row(
            id: "reload", section: "5.2.1.1", headers: "Cache-Control: max-age=60", at: 0,
            request: "Cache-Control: max-age=0", expected: .asked(.request)),
        Row(
            id: "young enough", section: "5.2.1.1", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: max-age=10", expected: .fresh),
        Row(
            id: "too old for the client", section: "5.2.1.1", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: max-age=9", expected: .asked(.request)),
        Row(
            id: "fresh for long enough", section: "5.2.1.3", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: min-fresh=50", expected: .fresh),
        Row(
            id: "not fresh for long enough", section: "5.2.1.3", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: min-fresh=51", expected: .asked(.request)),
        Row(
            id: "request no-cache", section: "5.2.1.4", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: no-cache", expected: .asked(.request)),
        Row(
            id: "Pragma", section: "5.4", headers: "Cache-Control: max-age=60", request: "Pragma: no-cache",
            expected: .asked(.request)),
        Row(
            id: "Pragma beside Cache-Control", section: "5.4", headers: "Cache-Control: max-age=60",
            request: "Pragma: no-cache\nCache-Control: max-stale", expected: .fresh),
        Row(
            id: "request no-store", section: "5.2.1.5", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: no-store", expected: .asked(.request)),
        Row(
            id: "only-if-cached, fresh", section: "5.2.1.7", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: only-if-cached", expected: .fresh),
        Row(
            id: "only-if-cached, stale", section: "5.2.1.7", headers: "Cache-Control: max-age=5",
            request: "Cache-Control: only-if-cached", expected: .refused),
        Row(
            id: "only-if-cached, max-stale", section: "5.2.1.7", headers: "Cache-Control: max-age=5",
            request: "Cache-Control: only-if-cached, max-stale=5", expected: .stale(.maxStale)),
        Row(
            id: "only-if-cached, no-cache", section: "5.2.1.7", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: only-if-cached, no-cache", expected: .refused),

        Row(
            id: "max-stale", section: "5.2.1.2", headers: "Cache-Control: max-age=5",
            request: "Cache-Control: max-stale=5", expected: .stale(.maxStale)),
        Row(
            id: "max-stale of any length", section: "5.2.1.2", headers: "Cache-Control: max-age=5",
            request: "Cache-Control: max-stale", expected: .stale(.maxStale)),
        Row(
            id: "max-stale too short", section: "5.2.1.2", headers: "Cache-Control: max-age=5",
            request: "Cache-Control: max-stale=4", expected: .asked(.stale)),
        Row(
            id: "max-stale unreadable", section: "5.2.1.2", headers: "Cache-Control: max-age=5",
            request: "Cache-Control: max-stale=x", expected: .asked(.stale)),
        Row(
            id: "max-stale, must-revalidate", section: "4.2.4", headers: "Cache-Control: max-age=1, must-revalidate",
            request: "Cache-Control: max-stale=9999999", expected: .asked(.stale)),
        Row(
            id: "max-stale, no-cache", section: "4.2.4", headers: "Cache-Control: max-age=600, no-cache",
            request: "Cache-Control: max-stale=9999999", expected: .asked(.stale)),
        Row(
            id: "max-stale, proxy-revalidate, shared", section: "4.2.4", kinds: [.shared],
            headers: "Cache-Control: max-age=1, proxy-revalidate", request: "Cache-Control: max-stale=9999999",
            expected: .asked(.stale)),
        Row(
            id: "max-stale, proxy-revalidate, private", section: "5.2.2.8", kinds: [.private],
            headers: "Cache-Control: max-age=1, proxy-revalidate", request: "Cache-Control: max-stale=9999999",
            expected: .stale(.maxStale)),
        Row(
            id: "max-stale, s-maxage, shared", section: "5.2.2.10", kinds: [.shared],
            headers: "Cache-Control: s-maxage=1", request: "Cache-Control: max-stale=9999999", expected: .asked(.stale)),
        Row(
            id: "max-stale, s-maxage, private", section: "5.2.2.10", kinds: [.private],
            headers: "Cache-Control: s-maxage=1", request: "Cache-Control: max-stale=9999999",
            expected: .stale(.maxStale)),

        Row(
            id: "while revalidating", section: "5861 3", headers: "Cache-Control: max-age=5, stale-while-revalidate=5",
            expected: .stale(.whileRevalidate)),
        Row(
            id: "after the window", section: "5861 3", headers: "Cache-Control: max-age=5, stale-while-revalidate=4",
            expected: .asked(.stale)),
        Row(
            id: "window, must-revalidate", section: "4.2.4",
            headers: "Cache-Control: max-age=5, stale-while-revalidate=50, must-revalidate", expected: .asked(.stale)),
        Row(
            id: "window, s-maxage", section: "4.2.4", kinds: [.shared],
            headers: "Cache-Control: s-maxage=5, stale-while-revalidate=50", expected: .asked(.stale)),
        Row(
            id: "window, CDN max-age", section: "9213 2.2", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=5, stale-while-revalidate=5", expected: .stale(.whileRevalidate)),
        Row(
            id: "window, request no-cache", section: "5.2.1.4",
            headers: "Cache-Control: max-age=5, stale-while-revalidate=50", request: "Cache-Control: no-cache",
            expected: .asked(.stale)),
        Row(
            id: "window, too old for the client", section: "5.2.1.1",
            headers: "Cache-Control: max-age=5, stale-while-revalidate=50", request: "Cache-Control: max-age=5",
            expected: .asked(.stale)),

        Row(
            id: "immutable, reload", section: "8246 2", kinds: [.private],
            headers: "Cache-Control: max-age=60, immutable", request: "Cache-Control: max-age=0", expected: .fresh),
        Row(
            id: "immutable, reload, shared", section: "8246 2.1", kinds: [.shared],
            headers: "Cache-Control: max-age=60, immutable", request: "Cache-Control: max-age=0",
            expected: .asked(.request)),
        Row(
            id: "immutable, forced reload", section: "8246 2", headers: "Cache-Control: max-age=60, immutable",
            request: "Cache-Control: no-cache\nPragma: no-cache", expected: .asked(.request)),
        Row(
            id: "immutable, stale", section: "8246 2", headers: "Cache-Control: max-age=5, immutable",
            expected: .asked(.stale)),

        Row(
            id: "offline, fresh", section: "4", headers: "Cache-Control: max-age=60", isOffline: true, expected: .fresh),
        Row(
            id: "offline, stale", section: "4.2.4", headers: "Cache-Control: max-age=5", isOffline: true,
            expected: .stale(.offline)),
        Row(id: "offline, no freshness", section: "4.2.4", headers: "", isOffline: true, expected: .stale(.offline)),
        Row(
            id: "offline, reload", section: "4.2.4", headers: "Cache-Control: max-age=60",
            request: "Cache-Control: no-cache", isOffline: true, expected: .stale(.offline)),
        Row(
            id: "offline, must-revalidate", section: "5.2.2.2", headers: "Cache-Control: max-age=5, must-revalidate",
            isOffline: true, expected: .refused),
        Row(
            id: "offline, no-cache", section: "5.2.2.4", headers: "Cache-Control: no-cache", isOffline: true,
            expected: .refused),
        Row(
            id: "offline, proxy-revalidate", section: "5.2.2.8", kinds: [.shared],
            headers: "Cache-Control: max-age=5, proxy-revalidate", isOffline: true, expected: .refused),
        Row(
            id: "offline, window on error over", section: "5861 4",
            headers: "Cache-Control: max-age=5, stale-if-error=4", isOffline: true, expected: .refused),
        Row(
            id: "offline, window on error", section: "5861 4", headers: "Cache-Control: max-age=5, stale-if-error=5",
            isOffline: true, expected: .stale(.offline)),
        Row(
            id: "offline, window", section: "5861 3", headers: "Cache-Control: max-age=5, stale-while-revalidate=5",
            isOffline: true, expected: .stale(.offline)),
        Row(
            id: "offline, a year ahead", section: "4.2.4", headers: "Cache-Control: max-age=60", at: 31_536_000,
            isOffline: true, expected: .stale(.offline)),
        Row(
            id: "clock back two days", section: "4.2", headers: "Cache-Control: max-age=60", at: -172_800,
            expected: .asked(.stale)),
        Row(
            id: "clock back, offline", section: "4.2", headers: "Cache-Control: max-age=60", at: -172_800,
            isOffline: true, expected: .stale(.offline)),
        Row(
            id: "clock back, window", section: "5861 3",
            headers: "Cache-Control: max-age=60, stale-while-revalidate=9999", at: -172_800, expected: .asked(.stale)),

        Row(
            id: "no-store that got in", section: "5.2.2.5", headers: "Cache-Control: max-age=60, no-store",
            expected: .asked(.miss)),
        Row(
            id: "private that got in", section: "5.2.2.7", kinds: [.shared],
            headers: "Cache-Control: max-age=60, private", expected: .asked(.miss)),
        Row(
            id: "only the origin can tell", section: "9110 13.1.1", headers: "Cache-Control: max-age=60\nETag: \"a\"",
            request: "If-Match: \"a\"", expected: .asked(.bypass)),
        Row(
            id: "nor by date", section: "9110 13.1.4", headers: "Cache-Control: max-age=60",
            request: "If-Unmodified-Since: {+0}", expected: .asked(.bypass)),
        Row(
            id: "several ranges", section: "9110 14.2", headers: "Cache-Control: max-age=60",
            request: "Range: bytes=0-1,4-5", expected: .asked(.bypass)),
        Row(
            id: "several ranges, offline", section: "9110 14.2", headers: "Cache-Control: max-age=60",
            request: "Range: bytes=0-1,4-5", isOffline: true, expected: .stale(.offline)),
    ]

    @Test(arguments: rows) func aRequestIsJudged(row: Row) {
        for kind in row.kinds {
            for method in ["GET", "HEAD"] where !row.request.contains("Range") || method == "GET" {
                var context = ReuseContext.at(row.at, kind)
                context.isOffline = row.isOffline
                let request = HTTPRequestHead(
                    method: method, url: "http://h.test/r", headers: HeaderFields(lines: row.request))
                let plan = HTTPRules.plan(request, [.noon(row.headers)], context)
                switch row.expected {
                case .fresh: #expect(plan == .serve(Serving(index: 0)), "\(kind) \(method)")
                case .stale(let reason):
                    #expect(plan.served?.stale == reason, "\(kind) \(method)")
                    #expect(plan.served?.revalidates == (reason == .whileRevalidate))
                case .asked(let reason): #expect(plan.asked?.reason == reason, "\(kind) \(method)")
                case .refused: #expect(plan == .refuse, "\(kind) \(method)")
                }
            }
        }
    }

    /// What is served when the origin answers with a failure, and when it does not answer.
    @Test(arguments: [
        ("max-age=5", false, true), ("max-age=5, stale-if-error=5", true, true),
        ("max-age=5, stale-if-error=4", false, false),
        ("max-age=5, must-revalidate, stale-if-error=50", false, false), ("no-cache, stale-if-error=50", false, false),
    ])
    func failuresAreBridgedWhereThatIsAllowed(control: String, isFailureBridged: Bool, isAbsenceBridged: Bool) {
        for kind in CacheKind.allCases {
            let asked = HTTPRules.plan(.get(), [.noon("Cache-Control: \(control)")], .at(10, kind)).asked
            let serving = Serving(index: 0, stale: .onError)
            #expect(asked?.ifFails == (isFailureBridged ? serving : nil))
            #expect(asked?.ifUnreachable == (isAbsenceBridged ? serving : nil))
        }
    }

    @Test(arguments: ["max-age=5, proxy-revalidate", "max-age=5, s-maxage=5"])
    func sharedCachesHaveMoreToHeed(control: String) {
        #expect(
            HTTPRules.plan(.get(), [.noon("Cache-Control: \(control)")], .at(10, .shared)).asked?.ifUnreachable == nil)
        #expect(HTTPRules.plan(.get(), [.noon("Cache-Control: \(control)")], .at(10)).asked?.ifUnreachable != nil)
    }

    @Test func theRequestMayAllowStaleOnError() {
        let request = HTTPRequestHead.get("http://h.test/r", "Cache-Control: stale-if-error=5")
        #expect(HTTPRules.plan(request, [.noon("Cache-Control: max-age=5")], .at(10)).asked?.ifFails != nil)
        #expect(HTTPRules.plan(request, [.noon("Cache-Control: max-age=5")], .at(11)).asked?.ifFails == nil)
        #expect(
            HTTPRules.plan(request, [.noon("Cache-Control: max-age=5, must-revalidate")], .at(10)).asked?.ifFails == nil
        )
    }

    @Test func ourValidatorsGoOutInPlaceOfTheClients() {
        let lines = "If-None-Match: \"client\"\nIf-Modified-Since: {-9}\nX: 1\nRange: bytes=0-1\nAbc: 123"
        let stored = StoredAnswer.noon(
            "Cache-Control: max-age=1\nETag: W/\"own\"\nLast-Modified: Thu, 01 Jan 1970 00:00:00 GMT",
            variant: [("abc", "123")])
        let asked = HTTPRules.plan(.get("http://h.test/r", lines), [stored], .at(10)).asked
        #expect(asked?.validates == 0)
        #expect(asked?.headers.values(of: "If-None-Match") == ["W/\"own\""])
        #expect(asked?.headers.values(of: "If-Modified-Since") == ["Thu, 01 Jan 1970 00:00:00 GMT"])
        #expect(asked?.headers["Range"] == "bytes=0-1")
        #expect(asked?.headers["Abc"] == "123")

        let missed = HTTPRules.plan(.get("http://h.test/r", lines), [], .at(10)).asked
        #expect(missed?.reason == .uriMiss)
        #expect(missed?.validates == nil)
        #expect(missed?.headers == HeaderFields(lines: lines))
    }

    @Test(arguments: ["", "ETag:\nLast-Modified:"])
    func withoutAValidatorTheClientsConditionsGoOut(headers: String) {
        let request = HTTPRequestHead.get("http://h.test/r", "If-None-Match: \"client\"")
        let asked = HTTPRules.plan(request, [.noon(headers)], .at(10)).asked
        #expect(asked?.validates == nil)
        #expect(asked?.headers == request.headers)
    }

    @Test func whatIsNoSuccessIsNotValidated() {
        let stored = StoredAnswer.noon("Cache-Control: max-age=1\nETag: \"a\"", status: 404)
        #expect(HTTPRules.plan(.get(), [stored], .at(10)).asked?.validates == nil)
    }

    @Test func anInvalidatedAnswerIsValidatedWhateverHappens() {
        var stored = StoredAnswer.noon(
            "Cache-Control: max-age=60, stale-if-error=60, stale-while-revalidate=60\nETag: \"a\"")
        stored.isInvalidated = true
        var context = ReuseContext.at(1)
        context.rule = OfflineRule(keepsNoStore: true, servesUnvalidated: true)
        let asked = HTTPRules.plan(.get("http://h.test/r", "Cache-Control: max-stale"), [stored], context).asked
        #expect(asked?.reason == .stale)
        #expect(asked?.validates == 0)
        #expect(asked?.ifFails == nil)
        #expect(asked?.ifUnreachable == nil)
        context.isOffline = true
        #expect(HTTPRules.plan(.get(), [stored], context) == .refuse)
    }

    @Test(arguments: [
        ("GET", "", true, true), ("GET", "Authorization: A", true, false),
        ("GET", "Cache-Control: no-store", false, false),
        ("GET", "Range: bytes=0-1", false, false), ("GET", "If-None-Match: \"a\"", false, false),
        ("HEAD", "", false, false),
        ("POST", "", false, false), ("GET", "If-Match: \"a\"", false, false), ("GET", "Cookie: a=b", true, true),
    ])
    func othersWaitOnlyForWhatMayBeTheirs(method: String, headers: String, isPrivateShared: Bool, isShared: Bool) {
        let request = HTTPRequestHead(method: method, url: "http://h.test/r", headers: HeaderFields(lines: headers))
        #expect(HTTPRules.plan(request, [], .at(0)).asked?.isShareable == isPrivateShared)
        #expect(HTTPRules.plan(request, [], .at(0, .shared)).asked?.isShareable == isShared)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "M-SEARCH", "get"])
    func otherMethodsGoToTheOrigin(method: String) {
        let request = HTTPRequestHead(method: method, url: "http://h.test/r", headers: ["If-Match": "\"a\""])
        let stored = StoredAnswer.noon("Cache-Control: max-age=60")
        let asked = HTTPRules.plan(request, [stored], .at(1)).asked
        #expect(asked?.reason == .method)
        #expect(asked?.ifUnreachable == nil)
        #expect(asked?.headers == request.headers)
        var context = ReuseContext.at(1)
        context.isOffline = true
        #expect(HTTPRules.plan(request, [stored], context) == .refuse)
    }

    @Test func aRevalidationAsksForTheWholeOnOurTerms() {
        let request = HTTPRequestHead(
            method: "HEAD", url: "http://h.test/r", headers: ["Range": "bytes=0-1", "If-Range": "\"c\"", "X": "1"])
        let asking = HTTPRules.revalidation(of: 0, request, [.noon("ETag: \"a\"")], .at(1))
        #expect(asking.headers == ["X": "1", "If-None-Match": "\"a\""])
        #expect(asking.validates == 0)
        #expect(asking.isShareable)
        #expect(HTTPRules.revalidation(of: 3, request, [], .at(1)).validates == nil)
    }

    @Test func theShortWaySaysWhatTheLongOneDoes() {
        let answers = [
            "Cache-Control: max-age=60", "Cache-Control: max-age=5", "Cache-Control: max-age=60, no-cache",
            "Cache-Control: max-age=60, private", "Cache-Control: max-age=60, no-store", "",
        ]
        let requests = [
            "", "Accept: */*", "Cache-Control: no-cache", "pragma: no-cache", "RANGE: bytes=0-1", "IF-NONE-MATCH: *",
            "iF-Modified-Since: {+0}", "if-match: *", "If-Unmodified-Since: {+0}", "If-Range: \"a\"", "Foo: 1",
            "Authorization: x",
        ]
        for kind in CacheKind.allCases {
            for answer in answers {
                for headers in requests {
                    let stored = StoredAnswer.noon(answer, variant: [("foo", nil)])
                    let request = HTTPRequestHead.get("http://h.test/r", headers)
                    let context = ReuseContext.at(10, kind)
                    let isShort = HTTPRules.isPlainlyFresh(request, stored, FreshnessFacts(stored, kind), context)
                    let plan = HTTPRules.plan(request, [stored], context)
                    if isShort { #expect(plan == .serve(Serving(index: 0)), "\(answer) \(headers)") }
                    if headers.isEmpty || headers.hasPrefix("A") {
                        #expect(isShort == (plan == .serve(Serving(index: 0))), "\(answer) \(headers)")
                    } else {
                        #expect(!isShort, "\(headers)")
                    }
                }
            }
        }
    }
}
