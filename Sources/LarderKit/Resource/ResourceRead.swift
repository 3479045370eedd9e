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

    func run() async throws(LarderError) -> Reading<Value> {
        let stored: StoredEntry?
        do throws(LarderError) { stored = try resource.stored() } catch {
            return try await replaceUnreadable(error)
        }
        let planner = Planner(policy: policy, staleIfError: resource.options.staleIfError)
        let connectivity = resource.core.environment.connectivity.current
        switch planner.plan(stored: stored.map(resource.facts), connectivity: connectivity) {
        case .notStored:
            throw .notStored
        case .serve(let reason):
            return try await serve(stored, reason)
        case .serveAndFetch:
            let reading = try await serve(stored, .staleWhileRevalidate)
            if reading.source == .cache { start(stored) }
            return reading
        case .fetch(let patience, let fallback, let impatience):
            return try await fetch(stored, patience: patience, fallback, impatience)
        }
    }

    /// Asks in the background.
    func start(_ stored: StoredEntry?) {
        resource.core.flights.start(flightKey, operation: operation(stored))
    }

    /// What is stored cannot be read, so there is nothing to show but what the network gives. That replaces it.
    private func replaceUnreadable(_ trouble: LarderError) async throws(LarderError) -> Reading<Value> {
        if case .storage(let error) = trouble, error.kind == .closed { throw trouble }
        guard policy.kind != .cacheOnly else { throw trouble }
        do throws(LarderError) {
            return try await fetch(nil, patience: nil, .none)
        } catch {
            guard case .fetch(let failure) = error, !failure.isAnswer, policy.kind != .networkOnly else { throw error }
            throw trouble
        }
    }

    /// Serves what is stored. What does not decode is asked for again, unless only the cache was to be asked.
    private func serve(
        _ stored: StoredEntry?, _ reason: ReadingReason
    ) async throws(LarderError) -> Reading<Value> {
        guard let stored else { throw .notStored }
        do throws(LarderError) {
            return resource.reading(of: try resource.decode(stored), stored.metadata, .cache, reason)
        } catch {
            guard policy.kind != .cacheOnly else { throw error }
            return try await fetch(stored, patience: nil, .stored)
        }
    }

    private func fetch(
        _ stored: StoredEntry?, patience: Duration?, _ fallback: Plan.Fallback,
        _ impatience: ReadingReason = .patienceRanOut
    ) async throws(LarderError) -> Reading<Value> {
        let flights = resource.core.flights
        let clock = resource.core.environment.clock
        let outcome: Flights.Outcome<Landing>
        do throws(CancellationError) {
            outcome = try await flights.value(
                for: flightKey, patience: patience, clock: clock, operation: operation(stored))
        } catch {
            throw .cancelled
        }
        switch outcome {
        case .landed(.success(let fetched)):
            let reason: ReadingReason = fetched.source == .network ? .fetched : .notModified
            return resource.reading(
                of: fetched.value, fetched.metadata, fetched.source, reason, warnings: fetched.warnings)
        case .landed(.failure(let failure)):
            guard fallback == .stored, !failure.isAnswer else { throw .fetch(failure) }
            return try standIn(.networkFailed, failure)
        case .late:
            // With nothing to show after all, there is nothing to do but wait.
            do throws(LarderError) { return try standIn(impatience, nil) } catch {
                return try await fetch(stored, patience: nil, fallback)
            }
        }
    }

    /// What is stored, in place of what the network did not give. Read again, since it may have changed meanwhile.
    private func standIn(_ reason: ReadingReason, _ failure: FetchFailure?) throws(LarderError) -> Reading<Value> {
        guard let stored = try resource.stored() else {
            throw failure.map { .fetch($0) } ?? .notStored
        }
        do throws(LarderError) {
            return resource.reading(of: try resource.decode(stored), stored.metadata, .cache, reason, failure: failure)
        } catch {
            guard case .undecodable(let value, _) = error else { throw error }
            throw .undecodable(value, failure)
        }
    }

    private var flightKey: Flights.Key {
        Flights.Key(
            place: resource.key, kind: resource.flightKind, request: nil, type: ObjectIdentifier(Landing.self),
            codec: resource.codec.id)
    }
}
