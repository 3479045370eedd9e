import Synchronization

/// One thing that is fetched by itself: a key of one sign-in, in one home and form, with the books that are kept of it.
final class Place: Sendable {
    let spec: KeySpec
    let owner: Owner
    private let flights = Mutex(FlightBook())
    private let order = Mutex(OrderBook())

    init(_ spec: KeySpec, of owner: Owner) {
        self.spec = spec
        self.owner = owner
    }

    func withFlights<R>(_ body: (inout sending FlightBook) -> sending R) -> sending R { flights.withLock(body) }
    func withOrder<R>(_ body: (inout sending OrderBook) -> sending R) -> sending R { order.withLock(body) }

    var name: String { "\(owner)|\(spec.key) in \(spec.home) as \(spec.form)" }
}

/// One feed of one sign-in.
final class FeedPlace: Sendable {
    let spec: FeedSpec
    let owner: Owner
    let served: ServedFeed
    /// Outlives the sign-in: a feed asks once at a time, whoever is signed in.
    let lane: Lane

    init(_ spec: FeedSpec, of owner: Owner, lane: Lane) throws {
        self.spec = spec
        self.owner = owner
        self.lane = lane
        served = try ServedFeed(spec, of: owner)
    }

    var name: String { "\(owner)|\(spec.name)" }
}
