import Synchronization

/// Requests under way, one for each key: whoever asks for what is being fetched already joins.
///
/// A flight runs in a task of its own. It ends early when its last waiter leaves, unless it has been told to go on
/// because the larder itself waits for the answer. Its result goes to every waiter.
///
/// All state is in one lock; nothing is awaited while it is held.
final class Flights: Sendable {
    /// What tells flights apart: the thing fetched, the exact request, and the type of what comes back.
    struct Key: Hashable, Sendable {
        let place: StoreKey
        let kind: String
        let request: PageRequest?
        let type: ObjectIdentifier
        /// The codec by which what comes is stored, where that is not told by the rest.
        var codec: CodecID?
    }

    /// How waiting ended.
    enum Outcome<Value: Sendable>: Sendable {
        case landed(Value)
        /// Patience ran out; the flight goes on.
        case late
    }

    private let flights = Mutex<[Key: Flight]>([:])

    /// Fetches, or joins the fetch that is under way for `key`.
    ///
    /// - Parameters:
    ///   - patience: How long to wait; the flight goes on after that. `nil` waits to the end.
    ///   - operation: Never throws: a failure is a value like another.
    /// - Throws: `CancellationError` when the waiting task is cancelled.
    func value<Value: Sendable>(
        for key: Key, patience: Duration?, clock: any LarderClock, operation: @escaping @Sendable () async -> Value
    ) async throws(CancellationError) -> Outcome<Value> {
        let (flight, ticket) = board(key, operation)
        guard let patience else {
            return .landed(try await landing(of: flight, ticket: ticket, key: key))
        }
        guard patience > .zero else {
            flight.keepFlying()
            leave(flight, ticket, key)
            return .late
        }
        let outcome: Outcome<Value>? = await withTaskGroup { group in
            group.addTask { () -> Outcome<Value>? in
                guard let value: Value = try? await self.landing(of: flight, ticket: ticket, key: key) else {
                    return nil
                }
                return .landed(value)
            }
            group.addTask { () -> Outcome<Value>? in
                do { try await clock.sleep(for: patience) } catch { return nil }
                flight.keepFlying()
                return .late
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let outcome else { throw CancellationError() }
        return outcome
    }

    /// Starts a fetch that nobody waits for, unless it is under way already.
    func start<Value: Sendable>(_ key: Key, operation: @escaping @Sendable () async -> Value) {
        let (flight, ticket) = board(key, operation)
        flight.keepFlying()
        leave(flight, ticket, key)
    }

    /// Lets nobody join the flights of `kind` to `place` any more: whoever asks from now on gets an answer to a later
    /// request. Those aboard still get theirs.
    func detach(_ place: StoreKey, kind: String) {
        flights.withLock { flights in
            flights = flights.filter { key, _ in key.place != place || key.kind != kind }
        }
    }

    /// How many wait for the flight of `key`; `nil` when there is none.
    func waiterCount(of key: Key) -> Int? {
        flights.withLock { $0[key] }?.waiterCount
    }

    /// Waits for every flight that is under way now to end, and its answer to be stored.
    func settle() async {
        let boarded = flights.withLock { flights in
            flights.compactMap { key, flight in flight.join().map { (key, flight, $0) } }
        }
        for (key, flight, ticket) in boarded {
            _ = await withTaskCancellationHandler {
                await flight.landing(ticket)
            } onCancel: {
                leave(flight, ticket, key)
            }
        }
    }

    /// How many wait for a flight now.
    var waiterCount: Int {
        flights.withLock { $0.values.reduce(0) { $0 + $1.waiterCount } }
    }

    private func board<Value: Sendable>(
        _ key: Key, _ operation: @escaping @Sendable () async -> Value
    ) -> (Flight, Int) {
        flights.withLock { flights in
            if let flight = flights[key], let ticket = flight.join() { return (flight, ticket) }
            let flight = Flight()
            flights[key] = flight
            let ticket = flight.join() ?? 0
            flight.take(
                Task {
                    let value = await operation()
                    self.remove(flight, key)
                    flight.land(value)
                })
            return (flight, ticket)
        }
    }

    private func landing<Value: Sendable>(
        of flight: Flight, ticket: Int, key: Key
    ) async throws(CancellationError) -> Value {
        let value = await withTaskCancellationHandler {
            await flight.landing(ticket)
        } onCancel: {
            leave(flight, ticket, key)
        }
        guard let value = value as? Value else { throw CancellationError() }
        return value
    }

    private func leave(_ flight: Flight, _ ticket: Int, _ key: Key) {
        if flight.leave(ticket) { remove(flight, key) }
    }

    private func remove(_ flight: Flight, _ key: Key) {
        flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
        }
    }
}
