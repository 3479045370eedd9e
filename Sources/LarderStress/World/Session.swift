import LarderKit
import Synchronization

/// One sign-in of one account: its handles, and the books of what belongs to it.
final class Session: Sendable {
    let owner: Owner
    let partition: Partition
    let origin: Origin
    let hosts: [String: Lane]
    let store: OwnStore
    let places: [Place]
    let feeds: [FeedPlace]
    private let token: Place
    private let ending = Atomic(false)
    private let ended = Atomic(false)

    var ledger: Ledger { origin.ledger }

    init(
        _ owner: Owner, partition: Partition, origin: Origin, hosts: [String: Lane], store: OwnStore,
        specs: [KeySpec], lanes: [FeedSpec: Lane]
    ) throws {
        self.owner = owner
        self.partition = partition
        self.origin = origin
        self.hosts = hosts
        self.store = store
        token = Place(.token, of: owner)
        places = [token] + specs.filter { $0.key != KeySpec.token.key }.map { Place($0, of: owner) }
        feeds = try lanes.map { spec, lane in try FeedPlace(spec, of: owner, lane: lane) }
    }

    // MARK: Signing out

    /// Set before it is called.
    var isEnding: Bool { ending.load(ordering: .relaxed) }
    /// Set when it has returned.
    var hasEnded: Bool { ended.load(ordering: .relaxed) }

    func noteEnding() { ending.store(true, ordering: .relaxed) }
    func noteEnded() { ended.store(true, ordering: .relaxed) }

    // MARK: Fetch closures that read

    /// What a fetch closure reads before it asks.
    func readToken() async throws {
        let reading = try await shelf(token, maxAge: .milliseconds(20)).read()
        check(reading.value, in: token)
    }

    /// A fetch closure reads what it is to bring: an error, and no standstill.
    func readAgain(_ place: Place) async {
        do throws(LarderError) {
            check(try await shelf(place).read(.networkOnly).value, in: place)
        } catch {
            if case .fetch(let failure) = error, failure.kind == .circular { ledger.count("circular") }
        }
    }

    /// A reader, or a fetch closure that reads, is about to be cancelled.
    func noteLeaving(_ place: Place, at tick: Int, itself: Bool = true) {
        if itself || place.spec.readsItself { place.withFlights { $0.noteLeaving(at: tick) } }
        if place.spec.needsToken { token.withFlights { $0.noteLeaving(at: tick) } }
    }

    /// The places under the same key in the same home: what is stored or removed in one of them concerns the other.
    func neighbours(of place: Place) -> [Place] {
        places.filter { $0.spec.key == place.spec.key && $0.spec.home == place.spec.home }
    }

    // MARK: Whose it is

    /// - Returns: Whether the value is the session's own, and the place's.
    @discardableResult
    func check(_ value: Owned?, in place: Place) -> Bool {
        guard let value else {
            ledger.violate("what is no value was shown: \(place.name)")
            return false
        }
        guard value.owner == owner, value.key == place.spec.key else {
            ledger.violate("\(place.name) was shown what belongs to \(value.owner)|\(value.key)")
            return false
        }
        return true
    }

    func isOwn(_ text: String, in feed: FeedPlace) -> Bool {
        text.hasPrefix("\(owner)|\(feed.spec.name)|")
    }
}
