import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// Case R03: what a server may write into `Retry-After`, as far as the delay that comes of it.
struct RetryAfterCasesTests {
    /// 15 January 2026, 12:00:00.
    private static let now = Date(timeIntervalSince1970: 1_768_478_400)

    @Test(
        arguments: [
            ("120", .seconds(120)), ("Thu, 15 Jan 2026 12:02:00 GMT", .seconds(120)),
            ("Thu, 15 Jan 2026 11:00:00 GMT", nil), ("soon", nil), ("-5", nil), ("0", nil), ("", nil),
        ] as [(String, Duration?)])
    func `a wish is kept, and what is none means backoff`(field: String, notBefore: Duration?) throws {
        let policy = RetryPolicy(attempts: 10, budget: .seconds(300))
        let answer = RawAnswer(status: 503, headers: ["Retry-After": field], body: Data())
        guard case .failure(let failure) = AnswerVerdict(answer, isJSONDue: true, now: Self.now) else {
            Issue.record("503 is a failure")
            return
        }
        let random = SeededRandom()
        let delays = try (0..<100).map { _ in
            try #require(policy.delay(after: failure, attempt: 1, elapsed: .zero, random: random))
        }
        let least = try #require(delays.min())
        if let notBefore {
            #expect(least >= notBefore)
        } else {
            #expect(least < .milliseconds(100))
            #expect(delays.allSatisfy { $0 <= policy.base })
        }
        #expect(Set(delays).count > 90)
    }
}
