import Foundation
import LarderKit
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
    /// 15 January 2026, 12:00:00.
    private static let now = Date(timeIntervalSince1970: 1_768_478_400)

    @Test(
        "Seconds and dates become the time from now on",
        arguments: [
            ("0", .zero), ("120", .seconds(120)), (" 120 ", .seconds(120)), ("007", .seconds(7)),
            ("99999999999999999999", .seconds(2_147_483_648)),
            ("Thu, 15 Jan 2026 12:02:00 GMT", .seconds(120)), ("Thursday, 15-Jan-26 12:00:01 GMT", .seconds(1)),
            ("Thu Jan 15 13:00:00 2026", .seconds(3600)),
            // A date gone by asks for nothing, and no date for more than a lifetime.
            ("Thu, 15 Jan 2026 11:59:59 GMT", .zero), ("Sun, 06 Nov 1994 08:49:37 GMT", .zero),
            ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(2_147_483_648)),
            ("", nil), ("-1", nil), ("1.5", nil), ("+1", nil), ("soon", nil), ("1, 2", nil), ("120s", nil),
            ("2026-01-15T12:02:00Z", nil),
        ] as [(String, Duration?)])
    func parse(value: String, wait: Duration?) {
        #expect(RetryAfter.parse(value, now: Self.now) == wait)
    }

    @Test("A clock between two seconds counts the part of one")
    func fractions() throws {
        let wait = try #require(RetryAfter.parse("Thu, 15 Jan 2026 12:02:00 GMT", now: Self.now + 0.5))
        #expect(wait == .seconds(119.5))
    }
}
