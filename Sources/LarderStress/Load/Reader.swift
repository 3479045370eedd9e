import LarderKit
import LarderTestKit

/// One of many who read: does one thing after another, each for whoever is signed in to some account, and checks what it
/// is shown.
struct Reader {
    let number: Int
    let accounts: [Account]
    let ledger: Ledger
    let watchdog: Watchdog
    /// The longest pause between two things.
    let pause: Int
    var dice: Dice
    var tally = Tally()

    init(_ number: Int, of run: StressRun, accounts: [Account]) {
        self.number = number
        self.accounts = accounts
        ledger = run.ledger
        watchdog = run.watchdog
        pause = run.size.pause
        dice = Dice(seed: run.size.seed, stream: number + 1)
    }

    mutating func run(until isOver: @Sendable () -> Bool) async {
        while !isOver() {
            await act()
            if pause > 0 { try? await Task.sleep(for: dice.milliseconds(0...pause)) }
        }
        ledger.add(tally)
    }

    private mutating func act() async {
        var account = dice.pick(accounts)
        // Where signing out is under way there is little to see.
        if account.session.isEnding, dice.chance(90) { account = dice.pick(accounts) }
        let session = account.session
        switch dice.below(1000) {
        case 0..<520: await read(place(session), in: session)
        case 520..<600: peek(place(session), in: session)
        case 600..<630: await burst(place(session), in: session)
        case 630..<660: await store(place(session), in: session)
        case 660..<675: await remove(place(session), in: session)
        case 675..<695: await follow(place(session), in: session)
        case 695..<700: await invalidate(session)
        case 700..<720: if let former = account.formerSession { await useAfterSigningOut(former) }
        case 720..<860: await page(dice.pick(session.feeds), in: session)
        case 860..<920: await move(dice.pick(session.feeds), in: session)
        case 920..<960: peek(dice.pick(session.feeds), in: session)
        case 960..<980: await follow(dice.pick(session.feeds), in: session)
        case 980..<985: await removeItem(dice.pick(session.feeds), in: session)
        default: await Task.yield()
        }
    }

    /// Some are read far more often than others.
    private mutating func place(_ session: Session) -> Place {
        let count = session.places.count
        return session.places[min(dice.below(count), dice.below(count))]
    }

    // MARK: Whatever is done

    /// What came of something, and whether it was cut short by its own reader.
    struct Outcome<Value: Sendable>: Sendable {
        let result: Result<Value, LarderError>
        let isCancelled: Bool
    }

    /// Does something that has to return, and leaves it at times before it does.
    mutating func perform<Value: Sendable>(
        _ name: String, leaving: () -> Void = {},
        _ body: @escaping @Sendable () async throws(LarderError) -> Value
    ) async -> Outcome<Value> {
        let isLeaving = dice.chance(15)
        let delay = dice.chance(30) ? nil : dice.milliseconds(0...15)
        return await watchdog.watching(name, as: number) {
            let task = Task { () -> Result<Value, LarderError> in
                do throws(LarderError) { return .success(try await body()) } catch { return .failure(error) }
            }
            guard isLeaving else { return Outcome(result: await task.value, isCancelled: false) }
            if let delay { try? await Task.sleep(for: delay) } else { await Task.yield() }
            leaving()
            task.cancel()
            return Outcome(result: await task.value, isCancelled: true)
        }
    }

    /// Counts an error, and checks that it is one that may be.
    mutating func note(
        _ error: LarderError, of name: String, in session: Session, isCancelled: Bool, mayNotDecode: Bool = false,
        mayNotStore: Bool = false
    ) {
        switch error {
        case .fetch(let failure):
            tally.count("failed: \(failure.kind.name)")
        case .notStored:
            tally.count("not stored")
        case .undecodable:
            tally.count("undecodable")
            ledger.check(mayNotDecode, "what is stored does not decode: \(name): \(error)")
        case .storage(let trouble):
            tally.count("storage trouble")
            let isExpected = mayNotStore && trouble.explanation == OwnStore.failure.explanation
            ledger.check(isExpected, "storage trouble: \(name): \(error)")
        case .signedOut:
            tally.count("signed out")
            ledger.check(session.isEnding, "told to be signed out, and is not: \(name)")
        case .cancelled:
            tally.count("cancelled")
            ledger.check(isCancelled, "told to be cancelled, and is not: \(name)")
        }
    }
}
