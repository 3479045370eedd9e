/// Whether an origin should be asked now. Like all of connectivity a hint: an explicit refresh asks in any case.
enum OriginStanding: Sendable, Hashable {
    /// Nothing speaks against it.
    case open
    /// It failed again and again, wants to be left alone, or one request is finding out whether it is back.
    case heldBack(remaining: Duration, failure: FetchFailure)
    /// It was held back long enough: one request may find out whether it is back, see ``NetworkWatch/claimProbe(of:)``.
    case probeDue(failure: FetchFailure)
}

/// The permission to find out whether an origin is back; to be handed in with the outcome of the request.
struct Probe: Sendable, Hashable {
    let number: UInt64
}

/// What makes it worth asking again.
enum Reconnection: Sendable, Hashable {
    /// The network is back: the link says so after it said otherwise, or the first answer after an outage came.
    case network
    /// The origin answered after it was held back, or is due for a probe.
    case origin(String)
}
