import LarderKit
import Synchronization

/// One account in one larder, into which somebody is always signed in.
final class Account: Sendable {
    let larder: Larder
    let number: Int
    let name: String
    private let origin: Origin
    private let hosts: [String: Lane]
    private let store: OwnStore
    private let specs: [KeySpec]
    let lanes: [FeedSpec: Lane]
    private let sessions: Mutex<(present: Session, former: Session?)>

    init(
        _ name: String, in larder: Larder, number: Int, origin: Origin, hosts: [String: Lane], store: OwnStore,
        specs: [KeySpec]
    ) throws {
        self.larder = larder
        self.number = number
        self.name = name
        self.origin = origin
        self.hosts = hosts
        self.store = store
        self.specs = specs
        lanes = Dictionary(uniqueKeysWithValues: FeedSpec.allCases.map { ($0, Lane(limit: 1)) })
        let owner = Owner(larder: number, partition: name, generation: 1)
        sessions = Mutex(
            (
                try Session(
                    owner, partition: larder.partition(name), origin: origin, hosts: hosts, store: store, specs: specs,
                    lanes: lanes), nil
            ))
    }

    var session: Session { sessions.withLock { $0.present } }
    /// The one that was signed out of last.
    var formerSession: Session? { sessions.withLock { $0.former } }

    private var ledger: Ledger { origin.ledger }

    /// Signs out, and in again.
    ///
    /// - Parameter twice: From two tasks at the same time.
    func change(twice: Bool) async throws {
        let session = session
        session.noteEnding()
        if twice {
            async let first = successor(of: session)
            async let second = successor(of: session)
            _ = try await (first, second)
        }
        let next = try await successor(of: session)
        session.noteEnded()
        ledger.count("sign-outs")
        sessions.withLock { $0 = (next, session) }
    }

    /// Signs out, and in again: there is nothing then, whoever else signs out at the same time.
    private func successor(of session: Session) async throws -> Session {
        await signOut(session)
        let owner = Owner(larder: number, partition: name, generation: session.owner.generation + 1)
        let next = try Session(
            owner, partition: larder.partition(name), origin: origin, hosts: hosts, store: store, specs: specs,
            lanes: lanes)
        expectNothing(in: next)
        return next
    }

    /// Until it succeeds: while the app's own store fails, it is to be called again, and nobody is signed in.
    private func signOut(_ session: Session) async {
        while true {
            do throws(LarderError) {
                try await session.partition.signOut()
                return
            } catch {
                guard case .storage(let trouble) = error, trouble.explanation == OwnStore.failure.explanation else {
                    return ledger.violate("signing out of \(session.owner) failed: \(error)")
                }
                ledger.count("sign-outs that had to be repeated")
            }
        }
    }

    /// Nobody has stored anything yet since this sign-in began.
    private func expectNothing(in session: Session) {
        for place in session.places {
            do throws(LarderError) {
                guard let shown = try session.shelf(place).peek() else { continue }
                let owner = shown.value.map { "\($0.owner)" } ?? "nobody"
                ledger.violate("something of \(owner) outlived signing out: \(place.name)")
            } catch {
                ledger.violate("nothing is stored, and looking fails: \(place.name): \(error)")
            }
        }
        for place in session.feeds {
            let page = try? session.feed(place).peek()
            ledger.check(page == nil, "items outlived signing out: \(place.name)")
        }
        ledger.count("values checked", session.places.count + session.feeds.count)
    }

    /// Whoever has signed in finds nothing of another.
    func look() {
        let session = session
        for place in session.places {
            do throws(LarderError) {
                if let shown = try session.shelf(place).peek() { session.check(shown.value, in: place) }
            } catch {
                if case .signedOut = error, session.isEnding { return }
                if case .undecodable = error, place.spec.isContested { continue }
                ledger.violate("looking fails: \(place.name): \(error)")
            }
        }
        ledger.count("values checked", session.places.count)
    }
}
