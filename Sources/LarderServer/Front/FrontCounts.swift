import Synchronization

/// What a front has seen, since it began to serve.
package struct FrontCounts: Sendable, Hashable {
    /// Now, those among them that are only waited for to close.
    package var openConnections = 0
    package var acceptedConnections = 0
    /// Answered 503 because all places were taken.
    package var turnedAwayConnections = 0
    /// Closed because the client was too slow or silent for too long.
    package var timedOutConnections = 0
    package var requests = 0
    /// Refused by the front itself: malformed, too large.
    package var refusedRequests = 0
}

/// The counters themselves, which all loops of a front share.
final class FrontCounters: Sendable {
    let open = Atomic(0)
    let accepted = Atomic(0)
    let turnedAway = Atomic(0)
    let timedOut = Atomic(0)
    let requests = Atomic(0)
    let refused = Atomic(0)

    var snapshot: FrontCounts {
        FrontCounts(
            openConnections: open.load(ordering: .relaxed), acceptedConnections: accepted.load(ordering: .relaxed),
            turnedAwayConnections: turnedAway.load(ordering: .relaxed),
            timedOutConnections: timedOut.load(ordering: .relaxed), requests: requests.load(ordering: .relaxed),
            refusedRequests: refused.load(ordering: .relaxed))
    }
}
