import Foundation
import LarderKit
import LarderTestKit

/// The servers of a run: fetch closures that take their time, fail in every way they may, go on when they are cancelled,
/// and write down in the books that they run.
struct Origin: Sendable {
    let ledger: Ledger
    let random: SeededRandom

    /// What comes of one request.
    enum Word: Sendable {
        case value(Owned)
        case notModified
        /// An answer that is none: a status, with a pause where the server asks for one.
        case status(Int, retryAfter: Duration? = nil)
        /// A sign-in page of a hotel's network.
        case page
        /// Half of what there is.
        case cut(Owned)
        case failure(any Error & Sendable)
    }

    struct Odd: Error {}

    // MARK: Resources

    /// - Parameter asked: When the handle was made whose fetch closure this is.
    func ask(
        _ place: Place, of session: Session, asked: Int, validators: Validators? = nil
    ) async throws -> Word {
        let serial = ledger.ticks.next()
        let dice = Dice(random.next())
        let host = place.spec.host.flatMap { session.hosts[$0] }
        let isCancelled = Task.isCancelled
        ledger.noteRequest()
        let others = place.withFlights { $0.begin(serial, asked: asked, isGivenUp: isCancelled) }
        if others > 0 { ledger.count("requests beside one that was given up or detached") }
        host?.begin(serial, isGivenUp: isCancelled)
        defer {
            let isAlone = place.withFlights { $0.end(serial) }
            ledger.check(isAlone, "two flights of one place: \(place.name)")
            ledger.check(host?.end(serial) ?? true, "too many requests of a host at a time: \(place.name)")
        }
        return try await withTaskCancellationHandler { [dice] in
            var dice = dice
            await wait(&dice)
            if place.spec.needsToken, dice.chance(70) { try await session.readToken() }
            if place.spec.readsItself, dice.chance(10) { await session.readAgain(place) }
            return word(place, asked, serial, validators, &dice)
        } onCancel: {
            place.withFlights { $0.giveUp(serial) }
            host?.giveUp(serial)
            // Its nested reads leave.
            session.noteLeaving(place, at: ledger.ticks.next(), itself: false)
        }
    }

    private func word(
        _ place: Place, _ asked: Int, _ serial: Int, _ validators: Validators?, _ dice: inout Dice
    ) -> Word {
        if place.spec.mayBeGone, dice.chance(15) { return .status(dice.pick([404, 410])) }
        let value = place.value(asked: asked, serial: serial, padding: dice.below(300))
        switch dice.below(100) {
        case 0..<80:
            let known = validators?.etag.flatMap { Int($0.filter(\.isNumber)) }
            guard let known, dice.chance(50), place.withOrder({ $0.renew(known, at: serial) }) else {
                return .value(value)
            }
            return .notModified
        case 80..<84: return .status(dice.pick([500, 502, 503]))
        case 84..<86: return .status(429, retryAfter: .milliseconds(dice.below(60)))
        case 86..<88: return .page
        case 88..<90: return .cut(value)
        case 90..<92: return .status(dice.pick([202, 401, 403]))
        case 92..<94: return .failure(FetchFailure(.timedOut, "no answer came"))
        case 94..<96: return .failure(CancellationError())
        case 96..<98: return .failure(Odd())
        default: return .failure(FetchFailure(.offline, "no network"))
        }
    }

    // MARK: Feeds

    func ask(_ place: FeedPlace, _ request: PageRequest) async throws {
        let serial = ledger.ticks.next()
        let dice = Dice(random.next())
        ledger.noteRequest()
        place.lane.begin(serial, isGivenUp: Task.isCancelled)
        defer { ledger.check(place.lane.end(serial), "two requests of one feed: \(place.name)") }
        try await withTaskCancellationHandler { [dice] in
            var dice = dice
            await wait(&dice)
            if dice.chance(40) { place.served.change(&dice) }
            if dice.chance(5) { place.served.spoil(&dice) }
            guard dice.chance(12) else { return }
            throw dice.pick([
                FetchFailure(.offline, "no network"), .http(status: 503), FetchFailure(.timedOut, "no answer came"),
                .http(status: 429, retryAfter: .milliseconds(30)), FetchFailure(.other, "odd"),
            ])
        } onCancel: {
            place.lane.giveUp(serial)
        }
    }

    // MARK: Time

    private func wait(_ dice: inout Dice) async {
        switch dice.below(100) {
        case 0..<40: break
        case 40..<65: for _ in 0..<dice.below(5) { await Task.yield() }
        case 65..<90: await sleep(dice.milliseconds(1...10), isDeaf: dice.chance(30))
        case 90..<97: await sleep(dice.milliseconds(10...60), isDeaf: dice.chance(30))
        case 97..<99: await sleep(dice.milliseconds(100...300), isDeaf: dice.chance(50))
        default: await sleep(.seconds(1), isDeaf: dice.chance(50))
        }
    }

    /// - Parameter isDeaf: Whether it goes on when it is cancelled.
    private func sleep(_ duration: Duration, isDeaf: Bool) async {
        guard isDeaf else {
            try? await Task.sleep(for: duration)
            return
        }
        await Task.detached { try? await Task.sleep(for: duration) }.value
    }
}

extension Place {
    func value(asked: Int, serial: Int, padding: Int) -> Owned {
        Owned(
            asked: asked, serial: serial, owner: owner, key: spec.key, padding: String(repeating: "x", count: padding))
    }
}
