import Foundation
import LarderKit
import Testing

@testable import LarderHTTPCache

struct FreshnessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var id: String
        var section: String
        var kinds: [CacheKind] = CacheKind.allCases
        var headers: String
        var status = 200
        var lifetime: Double
        var testDescription: String { "\(id) (\(section))" }
    }

    private static let rows = [
        Row(id: "none", section: "9111 4.2.1", headers: "Date: {+0}", lifetime: 0),
        Row(id: "max-age", section: "9111 5.2.2.1", headers: "Cache-Control: max-age=60", lifetime: 60),
        Row(
            id: "max-age before Expires", section: "9111 5.3", headers: "Cache-Control: max-age=60\nExpires: 0",
            lifetime: 60),
        Row(
            id: "zero before Expires", section: "9111 5.3", headers: "Cache-Control: max-age=0\nExpires: {+60}",
            lifetime: 0),
        Row(id: "first of two", section: "9111 4.2.1", headers: "Cache-Control: max-age=60, max-age=1", lifetime: 60),
        Row(
            id: "two lines", section: "9110 5.3", headers: "Cache-Control: public\nCache-Control: max-age=5",
            lifetime: 5),
        Row(id: "any case", section: "9111 5.2", headers: "cache-CONTROL: MaX-aGe=60", lifetime: 60),
        Row(id: "leading zeros", section: "9111 1.2.2", headers: "Cache-Control: max-age=003600", lifetime: 3600),
        Row(
            id: "past 2^31", section: "9111 1.2.2", headers: "Cache-Control: max-age=99999999999",
            lifetime: 2_147_483_648),
        Row(id: "negative", section: "9111 4.2.1", headers: "Cache-Control: max-age=-5", lifetime: 0),
        Row(id: "single quotes", section: "9111 4.2.1", headers: "Cache-Control: max-age='3600'", lifetime: 0),
        Row(id: "double quotes", section: "9111 5.2", headers: "Cache-Control: max-age=\"3600\"", lifetime: 3600),
        Row(id: "decimal", section: "9111 1.2.2", headers: "Cache-Control: max-age=3600.0", lifetime: 0),
        Row(
            id: "quoted text is no directive", section: "9110 5.6.4",
            headers: "Cache-Control: extension=\"max-age=3600\", max-age=1", lifetime: 1),
        Row(
            id: "s-maxage, shared", section: "9111 5.2.2.10", kinds: [.shared],
            headers: "Cache-Control: max-age=1, s-maxage=60", lifetime: 60),
        Row(
            id: "s-maxage, private", section: "9111 5.2.2.10", kinds: [.private],
            headers: "Cache-Control: max-age=1, s-maxage=60", lifetime: 1),
        Row(
            id: "s-maxage only, private", section: "9111 5.2.2.10", kinds: [.private],
            headers: "Cache-Control: s-maxage=60", lifetime: 0),
        Row(id: "Expires minus Date", section: "9111 4.2.1", headers: "Date: {-100}\nExpires: {+60}", lifetime: 160),
        Row(id: "Expires at Date", section: "9111 4.2.1", headers: "Date: {+0}\nExpires: {+0}", lifetime: 0),
        Row(id: "Expires before Date", section: "9111 4.2.1", headers: "Date: {+0}\nExpires: {-60}", lifetime: 0),
        Row(id: "Expires without Date", section: "9111 4.2.1", headers: "Expires: {+60}", lifetime: 60),
        Row(
            id: "Expires with a bad Date", section: "9110 6.6.1",
            headers: "Date: Thu, 15 Jan 2026 7:19:16 GMT\nExpires: {+60}", lifetime: 60),
        Row(
            id: "Expires: 0", section: "9111 5.3", headers: "Date: {+0}\nExpires: 0\nLast-Modified: {-86400}",
            lifetime: 0),
        Row(id: "two Expires", section: "9111 5.3", headers: "Expires: {+60}\nExpires: {+60}", lifetime: 0),
        Row(id: "a tenth", section: "9111 4.2.2", headers: "Date: {+0}\nLast-Modified: {-1000}", lifetime: 100),
        Row(
            id: "no more than a week", section: "9111 4.2.2",
            headers: "Date: {+0}\nLast-Modified: Sat, 01 Jan 2000 00:00:00 GMT", lifetime: 604_800),
        Row(
            id: "changed in the future", section: "9111 4.2.2", headers: "Date: {+0}\nLast-Modified: {+1000}",
            lifetime: 0),
        Row(
            id: "no guess for 302", section: "9111 4.2.2", headers: "Date: {+0}\nLast-Modified: {-1000}", status: 302,
            lifetime: 0),
        Row(
            id: "no guess for 599", section: "9111 4.2.2", headers: "Date: {+0}\nLast-Modified: {-1000}", status: 599,
            lifetime: 0),
        Row(
            id: "public 599", section: "9111 5.2.2.9",
            headers: "Cache-Control: public\nDate: {+0}\nLast-Modified: {-1000}", status: 599, lifetime: 100),
        Row(
            id: "targeted, shared", section: "9213 2.2", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=60\nCache-Control: no-store\nExpires: 0", lifetime: 60),
        Row(
            id: "targeted, private", section: "9213 3.1", kinds: [.private],
            headers: "CDN-Cache-Control: max-age=60\nCache-Control: max-age=1", lifetime: 1),
        Row(
            id: "targeted, over Expires", section: "9213 2.2", kinds: [.shared],
            headers: "CDN-Cache-Control: public\nExpires: {+60}", lifetime: 0),
        Row(
            id: "targeted, no Dictionary", section: "9213 2.1", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=60, &&&\nCache-Control: max-age=1", lifetime: 1),
        Row(
            id: "targeted, a string", section: "9213 2.1", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=\"60\"\nCache-Control: max-age=1", lifetime: 1),
        Row(
            id: "targeted, a decimal", section: "9213 2.1", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=60.0\nCache-Control: max-age=1", lifetime: 1),
        Row(
            id: "targeted, a big letter", section: "9651 3.2", kinds: [.shared],
            headers: "CDN-Cache-Control: Max-age=60\nCache-Control: max-age=1", lifetime: 1),
        Row(
            id: "targeted, empty", section: "9213 2.1", kinds: [.shared],
            headers: "CDN-Cache-Control: \nCache-Control: max-age=1", lifetime: 1),
        Row(
            id: "targeted, the last counts", section: "9651 4.2.2", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=1, max-age=60", lifetime: 60),
        Row(
            id: "targeted, parameters", section: "9651 4.2.3.2", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=60;why=\"a, b\", x=(1 2);q", lifetime: 60),
        Row(
            id: "targeted, 12 digits", section: "9111 1.2.2", kinds: [.shared],
            headers: "CDN-Cache-Control: max-age=999999999999", lifetime: 2_147_483_648),
        Row(
            id: "targeted, negative", section: "9111 4.2.1", kinds: [.shared], headers: "CDN-Cache-Control: max-age=-1",
            lifetime: 0),
    ]

    @Test(arguments: rows) func lifetimeIsAsTheFieldsSay(row: Row) {
        for kind in row.kinds {
            let stored = StoredAnswer.noon(row.headers, status: row.status)
            #expect(HTTPRules.lifetime(of: stored, kind: kind) == row.lifetime, "\(kind)")
        }
    }

    @Test(arguments: [
        ("", 0.0), ("Age: 290", 290), ("Age: 290, 5", 290), ("Age: 5, 290", 5), ("Age: 7\nAge: 300", 7),
        ("Age: abc", 0),
        ("Age: -7200", 0), ("Age: 7200.0", 0), ("Age: 99999999999999999999999", 2_147_483_648), ("Date: {-7200}", 7200),
        ("Date: {+600}", 0), ("Date: {-10}\nAge: 30", 30), ("Date: {-30}\nAge: 10", 30), ("Date: 0", 0), ("Age:", 0),
        ("Date: {-30}\nDate: {-30}", 0), ("Date: Thursday, 15-Jan-26 11:00:00 GMT", 3600),
        ("Date: Thu Jan 15 11:00:00 2026", 3600),
    ])
    func ageCountsWhatWasSaidAndWhatIsKnown(headers: String, age: Double) {
        let stored = StoredAnswer.noon(headers)
        #expect(HTTPRules.age(of: stored, now: Noon.date) == age)
        #expect(HTTPRules.age(of: stored, now: Noon.plus(9.5)) == age + 9.5)
        #expect(HTTPRules.age(of: stored, now: Noon.plus(-100)) == age, "never younger than at receipt")
    }

    @Test func theWayOfAnAnswerCounts() {
        var stored = StoredAnswer.noon("Age: 10\nCache-Control: max-age=20")
        stored.requestedAt = Noon.plus(-5)
        #expect(HTTPRules.age(of: stored, now: Noon.date) == 15)
        stored.requestedAt = Noon.plus(5)
        #expect(
            HTTPRules.age(of: stored, now: Noon.date) == 10, "a clock that was set back meanwhile takes nothing off")
    }

    @Test func freshnessEndsWithTheLifetimeWhateverTheClockDoes() {
        let facts = FreshnessFacts(.noon("Cache-Control: max-age=60"), .private)
        #expect(facts.isFresh(at: Noon.plus(59.9)))
        #expect(!facts.isFresh(at: Noon.plus(60)))
        #expect(!facts.isFresh(at: Noon.plus(-2)))
        #expect(!facts.isFresh(at: Noon.plus(-172_800)))
        #expect(!facts.isFresh(at: Noon.plus(31_536_000)))
        #expect(facts.isFresh(at: Noon.plus(-0.5)), "a request that was judged a moment before the answer came")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 9e15, -9e15])
    func noTimeTraps(seconds: Double) {
        let far = Date(timeIntervalSinceReferenceDate: seconds)
        var stored = StoredAnswer.noon("Cache-Control: max-age=60\nExpires: {+5}\nLast-Modified: {-5}\nAge: 3")
        for (requested, received, now) in [(far, far, far), (Noon.date, far, Noon.date), (far, Noon.date, far)] {
            stored.requestedAt = requested
            stored.receivedAt = received
            let facts = FreshnessFacts(stored, .shared)
            #expect(facts.age(at: now) >= 0)
            #expect(
                (0...DeltaSeconds.limit).contains(
                    Int(HTTPRules.response(stored, as: .whole, now: now).headers["Age"] ?? "") ?? -1))
            _ = HTTPRules.timeToLive(facts, now: now)
            _ = HTTPRules.plan(.get(), [stored], ReuseContext(kind: .shared, now: now))
        }
    }
}
