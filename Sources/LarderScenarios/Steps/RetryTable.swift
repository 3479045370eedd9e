import Foundation
import LarderKit
import LarderTestKit

/// A case of the format `steps/1` without steps: what servers say of when to come back, and what is made of it.
struct RetryTable {
    struct Row {
        let retryAfter: String
        let status: Int
        /// Seconds that must pass before the next request; `nil` where the server has said nothing that counts.
        let notBefore: Double?
    }

    /// Clients that failed together, at one of their attempts.
    struct Spread {
        let clients: Int
        let attempt: Int
        let cap: Duration
        let longest: Double
        let distinct: Int
    }

    let now: Date
    let rows: [Row]
    let spreads: [Spread]

    private static let known: Set<String> = ["format", "case", "area", "title", "source", "now", "cases", "spread"]

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "the case", known: Self.known)
        now = try fields.date("now") ?? ManualClock.defaultStart
        var rows: [Row] = []
        for (index, value) in (try fields.list("cases") ?? []).enumerated() {
            rows.append(try Self.row(value, at: "cases[\(index)]"))
        }
        self.rows = rows
        switch fields["spread"] {
        case nil: spreads = []
        case .list(let values):
            var spreads: [Spread] = []
            for (index, value) in values.enumerated() { spreads.append(try Self.spread(value, at: "spread[\(index)]")) }
            self.spreads = spreads
        case .some(let value): spreads = [try Self.spread(value, at: "spread")]
        }
        guard !rows.isEmpty || !spreads.isEmpty else { throw CaseFailure("the case neither does nor expects anything") }
    }

    private static func row(_ value: ScriptValue, at place: String) throws(CaseFailure) -> Row {
        let row = try ScriptFields(value, at: place, known: ["retryAfter", "notBefore", "use", "status"])
        let notBefore = try row.seconds("notBefore")
        let usesBackoff = try row.word("use", of: ["backoff": true]) ?? false
        guard usesBackoff == (notBefore == nil) else { throw CaseFailure("\(place) is not one of two things") }
        return Row(
            retryAfter: try row.required("retryAfter"), status: try row.count("status") ?? 503, notBefore: notBefore)
    }

    private static func spread(_ value: ScriptValue, at place: String) throws(CaseFailure) -> Spread {
        let fields = try ScriptFields(value, at: place, known: ["clients", "attempt", "cap", "expect"])
        let expect = try fields.fields("expect", known: ["max", "distinctAtLeast"])
        guard let clients = try fields.count("clients"), let attempt = try fields.count("attempt"),
            let cap = try fields.seconds("cap"), let expect
        else { throw CaseFailure("\(place) is not whole") }
        return Spread(
            clients: clients, attempt: attempt, cap: .seconds(cap), longest: try expect.seconds("max") ?? cap,
            distinct: try expect.count("distinctAtLeast") ?? 0)
    }
}

/// Draws the delays of a table and compares them with what is expected.
struct RetryTableRun {
    private let table: RetryTable

    /// A cap that is below what servers ask for.
    private static let cap = Duration.seconds(30)
    /// Longer than anything that a table asks for.
    private static let budget = Duration.seconds(86_400)

    init(_ table: RetryTable) {
        self.table = table
    }

    /// - Throws: ``CaseFailure`` at the first delay that is not as expected.
    func run() throws {
        for (index, row) in table.rows.enumerated() {
            do { try check(row) } catch { throw CaseFailure("\(error)").within("cases[\(index)]") }
        }
        for spread in table.spreads { try check(spread) }
    }

    private func check(_ row: RetryTable.Row) throws {
        let wish = RetryAfter.parse(row.retryAfter, now: table.now)
        let failure = FetchFailure.http(status: row.status, retryAfter: wish)
        // The same whatever chance says.
        for seed in 0..<50 {
            let delay = RetryPolicy(attempts: 3, cap: Self.cap, budget: Self.budget).delay(
                after: failure, attempt: 1, elapsed: .zero, random: SeededRandom(seed: UInt64(seed)))
            guard let delay else { throw CaseFailure("expected another request, got none") }
            if let least = row.notBefore, delay.inSeconds < least {
                throw CaseFailure("notBefore: expected no request before \(least) s, got one after \(delay)")
            }
            if row.notBefore == nil, delay > Self.cap {
                throw CaseFailure("use: expected at most \(Self.cap), got \(delay)")
            }
        }
    }

    private func check(_ spread: RetryTable.Spread) throws {
        let random = SeededRandom()
        let policy = RetryPolicy(attempts: spread.attempt + 1, cap: spread.cap, budget: Self.budget)
        var delays: Set<Duration> = []
        for _ in 0..<spread.clients {
            let delay = policy.delay(
                after: FetchFailure(.offline, "scripted"), attempt: spread.attempt, elapsed: .zero, random: random)
            guard let delay else { throw CaseFailure("spread: expected another request, got none") }
            delays.insert(delay)
        }
        let longest = delays.max() ?? .zero
        guard longest.inSeconds <= spread.longest else {
            throw CaseFailure("spread: expected no delay over \(spread.longest) s, got \(longest)")
        }
        guard delays.count >= spread.distinct else {
            throw CaseFailure("spread: expected \(spread.distinct) different delays, got \(delays.count)")
        }
    }
}
