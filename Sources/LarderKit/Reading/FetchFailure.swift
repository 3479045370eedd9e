public import Foundation

/// Why the network gave no value. Says nothing private: no URL, no body, no token.
///
/// A typed fetch closure that knows the status may throw one: `throw FetchFailure.http(status: 503)`.
public struct FetchFailure: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// The server could not be reached: no network, no such host, connection refused or lost.
        case offline
        case timedOut
        /// 401: who asks is not known.
        case unauthorised
        /// 403: who asks is known, and may not.
        case forbidden
        /// 404 or 410: the server has no such thing.
        case gone(status: Int)
        /// 429: asked too often.
        case throttled
        /// 5xx.
        case server(status: Int)
        /// Another status that brings no value: any other 4xx, a redirect, 202, 204.
        case unexpectedStatus(Int)
        /// The answer is not what was asked for: a sign-in page, a cut body, another shape.
        case wrongAnswer
        /// The fetch closure reads what waits for it. Nothing was asked.
        case circular
        case other
    }

    public let kind: Kind
    /// One sentence for a log, without anything private.
    public let explanation: String
    /// Asking again is pointless before this much time has passed, if the server said so.
    public let retryAfter: Duration?
    /// Somebody else seems to have answered in the server's place: a network that wants a sign-in first.
    var isInterception = false
    /// It befell something else that a fetch closure reads, and says nothing of what the closure is to bring.
    var isOfAnother = false
    /// It was waited for, for longer than anybody likes to.
    var tookLong: Bool

    public init(_ kind: Kind, _ explanation: String, retryAfter: Duration? = nil) {
        self.kind = kind
        self.explanation = explanation
        self.retryAfter = retryAfter
        tookLong = kind == .timedOut
    }

    /// The failure that an HTTP status means.
    public static func http(status: Int, retryAfter: Duration? = nil) -> FetchFailure {
        let kind: Kind =
            switch status {
            case 401: .unauthorised
            case 403: .forbidden
            case 404, 410: .gone(status: status)
            case 408: .timedOut
            case 429: .throttled
            case 500...: .server(status: status)
            default: .unexpectedStatus(status)
            }
        return FetchFailure(kind, "the server answered with status \(status)", retryAfter: retryAfter)
    }

    /// Whether the server itself spoke, about this very thing: an answer, not an outage: 401, 403, 404, 410 and
    /// 451, and 301 and 308 where they lead to a place of the same origin.
    public var isAnswer: Bool {
        if isOfAnother { return false }
        return switch kind {
        case .unauthorised, .forbidden, .gone, .unexpectedStatus(301), .unexpectedStatus(308), .unexpectedStatus(451):
            true
        default: false
        }
    }
}

extension FetchFailure {
    /// The same failure, as long as the server still wants to be left alone.
    func waiting(_ remaining: Duration) -> FetchFailure {
        FetchFailure(kind, explanation, retryAfter: remaining)
    }

    /// The same failure, after it was waited for so long.
    func after(_ time: Duration) -> FetchFailure {
        var failure = self
        failure.tookLong = tookLong || time >= .seconds(1)
        return failure
    }

    static let circular = FetchFailure(
        .circular, "a fetch closure reads what it is to bring, or what waits for that: this would never end")
}

extension FetchFailure: CustomStringConvertible, LocalizedError {
    public var description: String { explanation }
    public var errorDescription: String? { explanation }
}
