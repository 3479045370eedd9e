import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5)))
struct RetryPolicyTests {
    /// Chance that always gives the most, or the least.
    private struct Extreme: RandomSource {
        let value: UInt64
        func next() -> UInt64 { value }

        static let most = Extreme(value: .max)
        static let least = Extreme(value: 0)
    }

    private static let patient = RetryPolicy(
        attempts: 100, base: .milliseconds(500), cap: .seconds(30), budget: .seconds(3600))

    private static func delay(
        _ failure: FetchFailure, _ policy: RetryPolicy = patient, attempt: Int = 1, elapsed: Duration = .zero,
        random: Extreme = .most
    ) -> Duration? {
        policy.delay(after: failure, attempt: attempt, elapsed: elapsed, random: random)
    }

    @Test(
        arguments: [
            (.offline, true), (.timedOut, true), (.throttled, true),
            (.server(status: 500), true), (.server(status: 502), true), (.server(status: 503), true),
            (.server(status: 504), true), (.server(status: 501), false), (.server(status: 505), false),
            (.server(status: 599), false),
            (.unauthorised, false), (.forbidden, false), (.gone(status: 404), false), (.gone(status: 410), false),
            (.unexpectedStatus(400), false), (.unexpectedStatus(409), false), (.unexpectedStatus(202), false),
            (.wrongAnswer, false), (.other, false),
        ] as [(FetchFailure.Kind, Bool)])
    func `only what may pass by itself is asked for again`(kind: FetchFailure.Kind, isRepeated: Bool) {
        #expect((Self.delay(FetchFailure(kind, "")) != nil) == isRepeated)
        // The server's wish for later does not make an answer into an outage.
        #expect((Self.delay(FetchFailure(kind, "", retryAfter: .seconds(1))) != nil) == isRepeated)
    }

    @Test func `a request timeout of the server may pass, a cancellation is not asked for again`() {
        #expect(Self.delay(.http(status: 408)) != nil)
        #expect(Self.delay(.wrapping(CancellationError())) == nil)
    }

    @Test(
        arguments: [
            (1, .milliseconds(500)), (2, .seconds(1)), (3, .seconds(2)), (6, .seconds(16)), (7, .seconds(30)),
            (8, .seconds(30)), (99, .seconds(30)), (0, .milliseconds(500)), (-7, .milliseconds(500)),
            (.min, .milliseconds(500)),
        ] as [(Int, Duration)])
    func `the bound doubles up to the cap`(attempt: Int, bound: Duration) {
        let failure = FetchFailure.http(status: 503)
        #expect(Self.delay(failure, attempt: attempt) == bound)
        #expect(Self.delay(failure, attempt: attempt, random: .least) == .zero)
    }

    @Test func `there are as many requests as are allowed`() {
        let failure = FetchFailure.http(status: 503)
        #expect(Self.delay(failure, .none) == nil)
        #expect(Self.delay(failure, .standard, attempt: 2) != nil)
        #expect(Self.delay(failure, .standard, attempt: 3) == nil)
        #expect(Self.delay(failure, .standard, attempt: .max) == nil)
    }

    @Test(
        arguments: [
            // Spread over a tenth of what was asked for, at least as far as without it, and never further than the cap.
            (.seconds(120), 1, .seconds(120), .seconds(132)), (.seconds(2), 1, .seconds(2), .milliseconds(2500)),
            (.seconds(2), 8, .seconds(2), .seconds(32)), (.seconds(1000), 1, .seconds(1000), .seconds(1030)),
            // The budget is an hour.
            (.seconds(3590), 1, .seconds(3590), .seconds(3600)), (.seconds(3600), 1, .seconds(3600), .seconds(3600)),
            (.seconds(3601), 1, nil, nil), (.seconds(Int64.max), 1, nil, nil),
            // A date gone by says nothing, and a negative time neither.
            (.zero, 1, .zero, .milliseconds(500)), (.seconds(-5), 1, .zero, .milliseconds(500)),
            (nil, 1, .zero, .milliseconds(500)),
        ] as [(Duration?, Int, Duration?, Duration?)])
    func `what the server asks for is the least`(wish: Duration?, attempt: Int, least: Duration?, most: Duration?) {
        let failure = FetchFailure.http(status: 503, retryAfter: wish)
        #expect(Self.delay(failure, attempt: attempt, random: .least) == least)
        #expect(Self.delay(failure, attempt: attempt, random: .most) == most)
    }

    @Test func `the budget counts from the first request on`() {
        let policy = RetryPolicy(attempts: 9, base: .seconds(4), cap: .seconds(30), budget: .seconds(60))
        let failure = FetchFailure(.offline, "")
        #expect(Self.delay(failure, policy, elapsed: .seconds(56)) == .seconds(4))
        #expect(Self.delay(failure, policy, elapsed: .seconds(57)) == nil)
        #expect(Self.delay(failure, policy, elapsed: .seconds(57), random: .least) == .zero)
        #expect(Self.delay(failure, policy, elapsed: .seconds(61), random: .least) == nil)
        // Time does not go back; should a clock say so, nothing is given for it.
        #expect(Self.delay(failure, policy, elapsed: .seconds(-10)) == .seconds(4))
        let wish = FetchFailure.http(status: 429, retryAfter: .seconds(30))
        #expect(Self.delay(wish, policy, elapsed: .seconds(30)) == .seconds(30))
        #expect(Self.delay(wish, policy, elapsed: .seconds(31), random: .least) == nil)
    }

    @Test func `absurd settings are taken for the nearest that make sense`() {
        let nothing = RetryPolicy(attempts: -3, base: .seconds(-1), cap: .seconds(-1), budget: .seconds(-1))
        #expect(nothing == RetryPolicy(attempts: 1, base: .zero, cap: .zero, budget: .zero))
        let failure = FetchFailure(.offline, "")
        #expect(Self.delay(failure, nothing) == nil)

        let endless = RetryPolicy(
            attempts: .max, base: .seconds(Int64.max), cap: .seconds(Int64.max), budget: .seconds(Int64.max))
        #expect(endless.attempts == 100)
        #expect(Self.delay(failure, endless, attempt: 99) == endless.cap)
        #expect(Self.delay(failure, endless, attempt: 99, elapsed: .seconds(Int64.max)) == nil)
        #expect(Self.delay(failure, endless, elapsed: .seconds(Int64.min)) == endless.cap)

        let tiny = RetryPolicy(attempts: 100, base: Duration(secondsComponent: 0, attosecondsComponent: 1))
        #expect(Self.delay(failure, tiny, attempt: 99) == .seconds(30))
        #expect(Self.delay(failure, RetryPolicy(attempts: 9, base: .zero), attempt: 8) == .zero)
        #expect(Self.delay(failure, RetryPolicy(attempts: 9, base: .seconds(9), cap: .seconds(2))) == .seconds(2))
    }

    /// A chi-squared test over 16 parts of the interval; 99.9 % of fair sources stay below 37.7. The source is seeded.
    @Test(arguments: 1...12)
    func `delays are spread evenly over the whole interval, at the cap too`(attempt: Int) throws {
        let random = SeededRandom(seed: UInt64(attempt))
        let bound = Self.patient.bound(attempt: attempt)
        let draws = 8000
        var buckets = [Int](repeating: 0, count: 16)
        for _ in 0..<draws {
            let delay = try #require(
                Self.patient.delay(
                    after: FetchFailure(.offline, ""), attempt: attempt, elapsed: .zero, random: random))
            #expect(delay >= .zero && delay <= bound)
            buckets[min(Int(delay / bound * 16), 15)] += 1
        }
        let expected = Double(draws) / 16
        let deviation = buckets.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        #expect(deviation < 37.7, "\(buckets)")
    }

    @Test(arguments: [nil, .seconds(120)] as [Duration?])
    func `a hundred clients do not come back together`(wish: Duration?) throws {
        let delays = try (0..<100).map { client in
            try #require(
                Self.patient.delay(
                    after: .http(status: 503, retryAfter: wish), attempt: 8, elapsed: .zero,
                    random: SeededRandom(seed: UInt64(client))))
        }
        let (first, last) = (try #require(delays.min()), try #require(delays.max()))
        #expect(Set(delays.map(\.milliseconds)).count >= 50)
        #expect(first >= wish ?? .zero && last <= (wish ?? .zero) + .seconds(30))
        #expect(last - first > .seconds(20))
    }
}
