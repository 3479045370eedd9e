import Foundation

/// One read of a resource: asks the planner, and does what it says.
struct ResourceRead<Value: Sendable>: Sendable {
    let resource: Resource<Value>
    let policy: ReadPolicy

    private typealias Landing = Result<Fetched, FetchFailure>

    /// What a flight brings home: a value that is stored, or could not be.
    private struct Fetched: Sendable {
        let value: Value
        let metadata: EntryMetadata
        let source: ReadingSource
        var warnings: [ReadingWarning] = []
    }

    func run() async throws(LarderError) -> Reading<Value> {
        let stored = try resource.stored()
        let planner = Planner(policy: policy, staleIfError: resource.options.staleIfError)
        let connectivity = resource.core.environment.connectivity.current
        switch planner.plan(stored: stored.map(resource.facts), connectivity: connectivity) {
        case .notStored:
            throw .notStored
        case .serve(let reason):
            return try await serve(stored, reason, planner, connectivity)
        case .serveAndFetch:
            let reading = try await serve(stored, .staleWhileRevalidate, planner, connectivity)
            if reading.source == .cache { resource.core.flights.start(flightKey, operation: operation(stored)) }
            return reading
        case .fetch(let patience, let fallback):
            return try await fetch(stored, patience: patience, fallback)
        }
    }

    /// Serves what is stored. What does not decode is asked for again, unless only the cache was to be asked.
    private func serve(
        _ stored: StoredEntry?, _ reason: ReadingReason, _ planner: Planner, _ connectivity: Connectivity
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
        _ stored: StoredEntry?, patience: Duration?, _ fallback: Plan.Fallback
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
            return try standIn(.patienceRanOut, nil)
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
        Flights.Key(place: resource.key, kind: "resource", request: nil, type: ObjectIdentifier(Landing.self))
    }

    /// The fetch itself: asks, judges, stores. Runs in the flight's own task, so what came late is stored all the same.
    private func operation(_ stored: StoredEntry?) -> @Sendable () async -> Landing {
        let resource = resource
        let core = resource.core
        let stamp = core.stamps.next(at: core.environment.clock.now(), after: stored?.metadata.stamp ?? 0)
        let isReusable = stored?.metadata.codec.name == resource.codec.id.name
        let validators = isReusable ? stored?.metadata.validators : nil
        let request = ResourceRequest(
            key: resource.key.key, validators: validators.flatMap { $0.isEmpty ? nil : $0 })
        return {
            do {
                let fetched = try await withDeadline(resource.options.fetchTimeout, clock: core.environment.clock) {
                    try await resource.fetch(request)
                }
                return .success(try await Self.keep(fetched, stamp: stamp, in: resource))
            } catch {
                return .failure(.wrapping(error))
            }
        }
    }

    private static func keep(
        _ fetched: FetchedValue<Value>, stamp: Stamp, in resource: Resource<Value>
    ) async throws -> Fetched {
        var metadata = EntryMetadata(
            codec: resource.codec.id, stamp: stamp.order, storedAt: resource.now - fetched.initialAge,
            lifetime: fetched.lifetime, validators: fetched.validators)
        let kept: Fetched
        let body: Data
        switch fetched.content {
        case .value(let value, let bytes):
            kept = Fetched(value: value, metadata: metadata, source: .network)
            body = bytes
        case .notModified:
            guard let stored = try resource.store.entry(for: resource.key) else {
                throw FetchFailure(.wrongAnswer, "the server said that nothing has changed, and nothing is stored")
            }
            // A 304 may bring new validators; those it does not repeat still hold (RFC 9111 section 4.3.4).
            metadata.codec = stored.metadata.codec
            metadata.validators.etag = fetched.validators.etag ?? stored.metadata.validators.etag
            metadata.validators.lastModified =
                fetched.validators.lastModified ?? stored.metadata.validators.lastModified
            metadata.lifetime = fetched.lifetime ?? stored.metadata.lifetime
            body = stored.body
            let value = try resource.codec.value(of: stored, key: resource.key.key)
            kept = Fetched(value: value, metadata: metadata, source: .revalidated)
        }
        return await store(kept, body: body, in: resource)
    }

    /// A value that cannot be stored is a value all the same: the trouble goes beside it.
    private static func store(_ fetched: Fetched, body: Data, in resource: Resource<Value>) async -> Fetched {
        var fetched = fetched
        do throws(StorageError) {
            let entry = StoredEntry(body: body, metadata: fetched.metadata)
            if try await !resource.store.put(entry, for: resource.key) { fetched.warnings.append(.superseded) }
        } catch {
            fetched.warnings.append(.notKept(error))
        }
        return fetched
    }
}

func - (date: Date, duration: Duration) -> Date {
    Date(millisecondsSince1970: date.millisecondsSince1970 - duration.milliseconds)
}
