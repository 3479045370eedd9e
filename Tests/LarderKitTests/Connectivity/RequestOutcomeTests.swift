import Foundation
import Testing

@testable import LarderKit

@Suite struct RequestOutcomeTests {
    private enum Name: Hashable {
        case answered, unreachable, intercepted, ill, givenUp
        case throttled(Duration)

        init(_ outcome: RequestOutcome) {
            self =
                switch outcome {
                case .answered: .answered
                case .unreachable: .unreachable
                case .intercepted: .intercepted
                case .ill: .ill
                case .throttled(_, let wait): .throttled(wait)
                case .givenUp: .givenUp
                }
        }
    }

    private func name(_ failure: FetchFailure) -> Name {
        Name(RequestOutcome(Result<Int, FetchFailure>.failure(failure)))
    }

    @Test func `a value is an answer`() {
        #expect(Name(RequestOutcome(Result<Int, FetchFailure>.success(1))) == .answered)
    }

    @Test(arguments: [200, 202, 204, 206, 304, 400, 401, 402, 403, 404, 405, 409, 410, 412, 422, 451])
    func `what the server says about the thing is an answer`(status: Int) {
        #expect(name(.http(status: status)) == .answered)
    }

    @Test func `a demand to sign in to the network is none, and a redirect is one as long as it stays at the server`() {
        #expect(name(.http(status: 511)) == .intercepted)
        for status in [301, 302, 303, 307, 308] { #expect(name(.http(status: status)) == .answered) }
    }

    @Test(arguments: [408])
    func `a server that gave up waiting was as good as not reached`(status: Int) {
        #expect(name(.http(status: status)) == .unreachable)
    }

    @Test(arguments: [429, 500, 502, 503, 504, 599])
    func `a server that cannot serve is ill`(status: Int) {
        #expect(name(.http(status: status)) == .ill)
        #expect(name(.http(status: status, retryAfter: .zero)) == .ill)
        #expect(name(.http(status: status, retryAfter: .seconds(-5))) == .ill)
    }

    @Test func `what asks to be left alone for a time is throttled, if its status may say so`() {
        #expect(name(.http(status: 429, retryAfter: .seconds(2))) == .throttled(.seconds(2)))
        #expect(name(.http(status: 503, retryAfter: .seconds(120))) == .throttled(.seconds(120)))
        #expect(name(.http(status: 500, retryAfter: .seconds(120))) == .ill)
        #expect(name(.http(status: 404, retryAfter: .seconds(120))) == .answered)
    }

    @Test func `no connection, no answer in time, and an answer to something else`() {
        #expect(name(EvidenceRig.down) == .unreachable)
        #expect(name(EvidenceRig.slow) == .unreachable)
        #expect(name(EvidenceRig.portal) == .intercepted)
    }

    @Test func `what was cancelled, and errors of an app's own, say nothing`() {
        #expect(name(.wrapping(CancellationError())) == .givenUp)
        #expect(name(.wrapping(URLError(.cancelled))) == .givenUp)
        #expect(name(FetchFailure(.other, "a bug")) == .givenUp)
        for status in [-1, 0, 100] { #expect(name(FetchFailure(.unexpectedStatus(status), "odd")) == .givenUp) }
    }

    /// Case R03: both forms of Retry-After; a date that has passed and what is neither are no request to wait.
    @Test(
        arguments: [
            ("120", .throttled(.seconds(120))), ("Thu, 15 Jan 2026 12:02:00 GMT", .throttled(.seconds(120))),
            ("Thu, 15 Jan 2026 11:00:00 GMT", .ill), ("soon", .ill), ("-5", .ill), ("0", .ill),
        ] as [(String, Name)])
    private func `Retry-After is taken at its word`(value: String, expected: Name) throws {
        let noon = Date(timeIntervalSince1970: 1_768_478_400)
        #expect(name(.http(status: 503, retryAfter: RetryAfter.parse(value, now: noon))) == expected)
    }
}
