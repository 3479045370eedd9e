import LarderKit

extension Reader {
    private mutating func policy() -> ReadPolicy {
        switch dice.below(7) {
        case 0, 1: .cacheFirst
        case 2: .staleWhileRevalidate
        case 3: .staleWhileRevalidate(within: dice.milliseconds(0...100))
        case 4: dice.chance(30) ? .networkFirst : .networkFirst(patience: dice.milliseconds(0...20))
        case 5: .cacheOnly
        default: .networkOnly
        }
    }

    /// Sensible ones and absurd ones.
    mutating func maxAge() -> Duration? {
        dice.pick([nil, .zero, .milliseconds(5), .milliseconds(50), .seconds(1), .seconds(-5), .seconds(1 << 40)])
    }

    private mutating func retry() -> RetryPolicy {
        dice.chance(70)
            ? .none
            : RetryPolicy(attempts: 3, base: .milliseconds(1), cap: .milliseconds(5), budget: .milliseconds(300))
    }

    private mutating func shelf(_ place: Place, in session: Session) -> Shelf {
        let patience: Patience = dice.chance(20) ? .learned : .fixed(dice.milliseconds(0...50))
        return session.shelf(place, maxAge: maxAge(), policy: policy(), retry: retry(), patience: patience)
    }

    // MARK: Reading

    mutating func read(_ place: Place, in session: Session) async {
        let shelf = shelf(place, in: session)
        let footing = place.withOrder { $0.footing() }
        let outcome = await perform(place.name, leaving: leaving(place, in: session)) { () throws(LarderError) in
            try await shelf.read()
        }
        take(outcome, of: place, in: session, on: footing)
    }

    private func leaving(_ place: Place, in session: Session) -> () -> Void {
        { [ledger] in session.noteLeaving(place, at: ledger.ticks.next()) }
    }

    /// Ten views at once.
    mutating func burst(_ place: Place, in session: Session) async {
        let shelf = shelf(place, in: session)
        let footing = place.withOrder { $0.footing() }
        let results = await watchdog.watching("a burst of \(place.name)", as: number) {
            await withTaskGroup(of: Result<Shelf.Shown, LarderError>.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        do throws(LarderError) { return .success(try await shelf.read()) } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        for result in results {
            take(Outcome(result: result, isCancelled: false), of: place, in: session, on: footing)
        }
    }

    mutating func peek(_ place: Place, in session: Session) {
        let footing = place.withOrder { $0.footing() }
        do throws(LarderError) {
            guard let shown = try session.shelf(place).peek() else { return tally.count("nothing to peek at") }
            take(Outcome(result: .success(shown), isCancelled: false), of: place, in: session, on: footing)
        } catch {
            note(
                error, of: place.name, in: session, isCancelled: false, mayNotDecode: place.spec.isContested)
        }
    }

    private mutating func take(
        _ outcome: Outcome<Shelf.Shown>, of place: Place, in session: Session, on footing: OrderBook.Footing?
    ) {
        ledger.noteRead()
        switch outcome.result {
        case .failure(let error):
            note(
                error, of: place.name, in: session, isCancelled: outcome.isCancelled,
                mayNotDecode: place.spec.isContested)
        case .success(let shown):
            tally.count("shown: \(shown.reason.rawValue)")
            tally.count("values checked")
            guard session.check(shown.value, in: place), let value = shown.value else { return }
            guard isKept(shown, of: place), place.spec.isOrdered else { return }
            let isInOrder = place.withOrder { order in
                defer { order.noteKept(value, on: footing) }
                return order.allows(value, on: footing)
            }
            ledger.check(
                isInOrder,
                "an earlier value was shown after a later one: \(place.name), \(value.serial), \(shown.reason)")
        }
    }

    /// Whether the value is stored, as far as the reading says.
    private mutating func isKept(_ shown: Shelf.Shown, of place: Place) -> Bool {
        for warning in shown.warnings {
            switch warning {
            case .superseded:
                tally.count("superseded")
                return false
            case .notKept(let trouble):
                tally.count("not kept")
                ledger.check(place.spec.home == .own, "a value was not kept: \(place.name): \(trouble)")
                return false
            default:
                break
            }
        }
        return true
    }

    // MARK: Changing

    mutating func store(_ place: Place, in session: Session) async {
        // A resource of raw answers has nothing to encode with.
        guard place.spec.form != .raw else { return }
        let asked = ledger.ticks.next()
        let value = place.value(asked: asked, serial: ledger.ticks.next(), padding: dice.below(300))
        let shelf = session.shelf(place)
        let footing = place.withOrder { order in
            order.beginStoring(value)
            return order.footing()
        }
        let neighbours = beginDetaching(place, in: session)
        let outcome = await perform("storing \(place.name)") { () throws(LarderError) in try await shelf.store(value) }
        endDetaching(neighbours)
        switch outcome.result {
        case .success:
            tally.count("stored by the app")
            place.withOrder { [ledger] in $0.endStoring(value, at: ledger.ticks.next(), on: footing) }
        case .failure(let error):
            note(
                error, of: "storing \(place.name)", in: session, isCancelled: outcome.isCancelled,
                mayNotStore: place.spec.home == .own)
        }
    }

    mutating func remove(_ place: Place, in session: Session) async {
        let shelf = session.shelf(place)
        let asked = ledger.ticks.next()
        place.withOrder { $0.beginRemoving() }
        let neighbours = beginDetaching(place, in: session)
        let outcome = await perform("removing \(place.name)") { () throws(LarderError) in try await shelf.remove() }
        endDetaching(neighbours)
        switch outcome.result {
        case .success:
            tally.count("removed")
            place.withOrder { $0.endRemoving(asked: asked) }
        case .failure(let error):
            place.withOrder { $0.endRemoving(asked: nil) }
            note(
                error, of: "removing \(place.name)", in: session, isCancelled: outcome.isCancelled,
                mayNotStore: place.spec.home == .own)
        }
    }

    /// Nobody joins what is under way there once this has been done.
    func beginDetaching(_ place: Place, in session: Session) -> [Place] {
        let places = session.neighbours(of: place)
        for place in places { place.withFlights { $0.beginDetaching() } }
        return places
    }

    func endDetaching(_ places: [Place]) {
        for place in places { place.withFlights { [ledger] in $0.endDetaching(at: ledger.ticks.next()) } }
    }

    // MARK: Following

    mutating func follow(_ place: Place, in session: Session) async {
        let shelf = session.shelf(place, maxAge: maxAge())
        let refresh = dice.pick([RefreshPolicy.whenStale, .never, .always])
        let most = 1 + dice.below(5)
        let life = dice.milliseconds(0...300)
        let ledger = ledger
        await watchdog.watching("following \(place.name)", as: number) {
            let task = Task {
                var seen = 0
                var last: (value: Owned, footing: OrderBook.Footing?)?
                // What the next one may rely on: taken before it is read.
                var footing = place.withOrder { $0.footing() }
                await shelf.follow(refresh) { shown, _ in
                    seen += 1
                    guard let shown else { return seen < most }
                    guard session.check(shown.value, in: place), let value = shown.value else { return false }
                    if let last, place.spec.isOrdered {
                        let isInOrder = place.withOrder { $0.allows(value, after: last.value, on: last.footing) }
                        ledger.check(isInOrder, "a follower was shown an earlier value: \(place.name)")
                    }
                    last = (value, footing)
                    footing = place.withOrder { $0.footing() }
                    return seen < most
                }
                ledger.count("snapshots", seen)
            }
            try? await Task.sleep(for: life)
            session.noteLeaving(place, at: ledger.ticks.next())
            task.cancel()
            await task.value
        }
    }

    // MARK: Signing out

    /// Handles of a former sign-in show nothing, and do nothing.
    mutating func useAfterSigningOut(_ session: Session) async {
        guard session.hasEnded else { return }
        let place = dice.pick(session.places)
        let shelf = shelf(place, in: session)
        tally.count("uses after signing out")
        let outcome = await perform("use after signing out of \(place.name)") { () throws(LarderError) in
            try await shelf.read()
        }
        if case .failure(let error) = outcome.result {
            switch error {
            case .signedOut: return
            case .cancelled where outcome.isCancelled: return
            default: break
            }
        }
        ledger.violate("used after signing out: \(place.name): \(outcome.result)")
    }
}
