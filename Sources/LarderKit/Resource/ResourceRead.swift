import Foundation

/// One read of a resource: asks the planner, and does what it says.
struct ResourceRead<Value: Sendable>: Sendable {
    let resource: Resource<Value>
    let policy: ReadPolicy

    typealias Landing = Result<Fetched, FetchFailure>

    /// What a flight brings home: a value that is stored, or could not be.
    struct Fetched: Sendable {
        let value: Value
        let metadata: EntryMetadata
        let source: ReadingSource
        var warnings: [ReadingWarning] = []
    }

    private var core: LarderCore { resource.core }

    func run() async throws(LarderError) -> Reading<Value> {
        let stored: Resource<Value>.Found?
        do throws(LarderError) { stored = try resource.look() } catch {
            return try await replaceUnreadable(error)
        }
        var probe: HeldProbe?
        // Who asks for the network alone is not content with what comes meanwhile.
        let seen = policy.kind == .networkOnly ? nil : stored?.metadata.stamp ?? .min
        switch plan(stored?.metadata, claiming: &probe) {
        case .notStored:
            throw .notStored
        case .refuse(let failure):
            core.meter.note(.heldBack(subject))
            throw .fetch(failure)
        case .serve(let reason, let failure):
            if failure != nil { core.meter.note(.heldBack(subject)) }
            return try await serve(stored, reason, failure)
        case .serveAndFetch:
            let reading = try await serve(stored, .staleWhileRevalidate)
            if reading.source == .cache { start(probe, seen: seen) }
            return reading
        case .fetch(let patience, let fallback, let impatience):
            return try await fetch(patience: patience, fallback, impatience, probe, seen: seen)
        }
    }

    /// What a read does, given what is stored.
    private func plan(_ stored: EntryMetadata?, claiming probe: inout HeldProbe?) -> Plan {
        plan(stored) { patience in
            core.networkFacts(of: resource.origin, patience: patience, claiming: &probe)
        }
    }

    /// - Parameter network: Looked at where the network may be asked.
    func plan(_ stored: EntryMetadata?, network: (Patience) -> NetworkFacts) -> Plan {
        planner(stored).plan(stored: stored.map(resource.facts), network: network(patience))
    }

    var patience: Patience { policy.patience ?? resource.options.patience }

    /// What decides, given what is stored.
    func planner(_ stored: EntryMetadata?) -> Planner {
        // A server whose rules are kept to says itself what may be shown when stale.
        let windows = resource.options.serverRules == .binding ? stored?.stale ?? StaleWindows() : StaleWindows()
        var policy = policy
        if policy.kind == .cacheFirst, let window = windows.whileRevalidate {
            policy = .staleWhileRevalidate(within: window)
        }
        return Planner(policy: policy, staleIfError: resource.options.staleIfError ?? windows.ifError)
    }

    /// Asks in the background.
    func start(_ probe: HeldProbe? = nil, seen: Int64? = nil) {
        core.flights.start(resource.flightPlan, operation: operation(probe, seen: seen))
    }

    /// What is stored cannot be read, so there is nothing to show but what the network gives. That replaces it.
    private func replaceUnreadable(_ trouble: LarderError) async throws(LarderError) -> Reading<Value> {
        switch trouble {
        case .storage(let error) where error.kind == .closed: throw trouble
        case .signedOut: throw trouble
        default: break
        }
        guard policy.kind != .cacheOnly else { throw trouble }
        do throws(LarderError) {
            return try await fetch(patience: nil, .none)
        } catch {
            guard case .fetch(let failure) = error, !failure.isAnswer, policy.kind != .networkOnly else { throw error }
            throw trouble
        }
    }

    /// Serves what is stored. What does not decode is asked for again, unless only the cache was to be asked.
    private func serve(
        _ stored: Resource<Value>.Found?, _ reason: ReadingReason, _ failure: FetchFailure? = nil
    ) async throws(LarderError) -> Reading<Value> {
        guard let stored else { throw .notStored }
        do throws(LarderError) {
            return served(try resource.value(of: stored), stored, reason, failure)
        } catch {
            guard policy.kind != .cacheOnly else { throw error }
            return try await fetch(patience: nil, .stored)
        }
    }

    private func served(
        _ value: Value, _ stored: Resource<Value>.Found, _ reason: ReadingReason, _ failure: FetchFailure?
    ) -> Reading<Value> {
        let reading = resource.reading(of: value, stored.metadata, .cache, reason, failure: failure)
        core.meter.note(
            .served(subject, reason, age: reading.age, isStale: reading.isStale, bytes: stored.size))
        return reading
    }

    private func fetch(
        patience: Duration?, _ fallback: Plan.Fallback, _ impatience: ReadingReason = .patienceRanOut,
        _ probe: HeldProbe? = nil, seen: Int64? = nil
    ) async throws(LarderError) -> Reading<Value> {
        let outcome: Flights.Outcome<Landing>
        do throws(Flights.Trouble) {
            outcome = try await core.flights.value(
                for: resource.flightPlan, patience: patience, clock: core.environment.clock,
                onJoining: { core.meter.note(.joined(subject)) }, operation: operation(probe, seen: seen))
        } catch {
            guard case .circular = error, fallback == .stored, !resource.partition.isSignedOut else {
                throw LarderError(error, in: resource.partition)
            }
            return try standIn(.networkFailed, .circular)
        }
        // What came after the partition was signed out of is nobody's.
        if resource.partition.isSignedOut { throw .signedOut }
        switch outcome {
        case .landed(.success(let fetched)):
            let reason: ReadingReason = fetched.source == .network ? .fetched : .notModified
            return resource.reading(
                of: fetched.value, fetched.metadata, fetched.source, reason, warnings: fetched.warnings)
        case .landed(.failure(let failure)):
            guard fallback == .stored, resource.options.allowStale(after: failure) else { throw .fetch(failure) }
            return try standIn(.networkFailed, failure)
        case .late:
            core.meter.note(.lateAnswer(subject))
            // With nothing to show after all, there is nothing to do but wait.
            do throws(LarderError) { return try standIn(impatience, nil) } catch {
                return try await fetch(patience: nil, fallback)
            }
        }
    }

    /// What is stored, in place of what the network did not give. Read again, since it may have changed meanwhile.
    private func standIn(_ reason: ReadingReason, _ failure: FetchFailure?) throws(LarderError) -> Reading<Value> {
        guard let stored = try resource.look() else {
            throw failure.map { .fetch($0) } ?? .notStored
        }
        do throws(LarderError) {
            return served(try resource.value(of: stored), stored, reason, failure)
        } catch {
            guard case .undecodable(let value, _) = error else { throw error }
            throw .undecodable(value, failure)
        }
    }

    var subject: LarderEvent.Subject { core.meter.subject(.resource, resource.key) }
}
