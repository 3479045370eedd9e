import Synchronization

/// Requests under way, one for each key: whoever asks for what is being fetched already joins.
///
/// ``FlightMachine`` decides; here are the tasks that fly and those that wait. A flight runs in a task of its own. Its
/// result goes to every waiter. All state is in one lock; nothing is awaited while it is held.
final class Flights: Sendable {
    /// What tells flights apart: the thing fetched, the exact request, and the type of what comes back.
    struct Key: Hashable, Sendable {
        let place: StoreKey
        let kind: String
        let request: PageRequest?
        let type: ObjectIdentifier
        /// The codec by which what comes is stored, where that is not told by the rest.
        var codec: CodecID?
        /// What an account asked for is nothing to who signs in after it.
        var generation: Int64 = 0
    }

    /// How waiting ended.
    enum Outcome<Value: Sendable>: Sendable {
        case landed(Value)
        /// Patience ran out; the flight goes on.
        case late
    }

    /// Why there is nothing to wait for.
    enum Trouble: Error {
        /// The waiting task was cancelled, or the flight was given up under it.
        case cancelled
        /// A fetch closure waits for what waits for it.
        case circular
    }

    private typealias Operation = @Sendable () async -> any Sendable
    private typealias Continuation = CheckedContinuation<(any Sendable)?, Never>

    private enum Waiting {
        /// Aboard, and not waiting yet.
        case boarded
        case suspended(Continuation)
        case landed(any Sendable)
    }

    private struct State {
        var machine: FlightMachine
        var operations: [FlightMachine.FlightID: Operation] = [:]
        var tasks: [FlightMachine.FlightID: Task<Void, Never>] = [:]
        var waiting: [FlightMachine.WaiterID: Waiting] = [:]
        /// Those that wait for all flights to end.
        var settling: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextTicket = 0
    }

    private let state: Mutex<State>

    init(_ machine: FlightMachine = FlightMachine()) {
        state = Mutex(State(machine: machine))
    }

    /// The flight that runs the present task, so that who waits for whom can be told.
    @TaskLocal private static var current: (flights: ObjectIdentifier, flight: FlightMachine.FlightID)?

    private var asking: FlightMachine.FlightID? {
        Self.current.flatMap { $0.flights == ObjectIdentifier(self) ? $0.flight : nil }
    }

    // MARK: Asking

    /// Fetches, or joins the fetch that is under way for the plan's key.
    ///
    /// - Parameters:
    ///   - patience: How long to wait; the flight goes on after that. `nil` waits to the end.
    ///   - onJoining: Called when there is a fetch already.
    ///   - operation: Never throws: a failure is a value like another.
    func value<Value: Sendable>(
        for plan: FlightMachine.Plan, patience: Duration?, clock: any LarderClock, onJoining: () -> Void = {},
        operation: @escaping @Sendable () async -> Value
    ) async throws(Trouble) -> Outcome<Value> {
        let (flight, waiter, isNew) = try board(plan, from: asking, operation)
        if !isNew { onJoining() }
        guard let patience else {
            return .landed(try await landing(waiter))
        }
        guard patience > .zero else {
            keepFlying(flight, without: waiter)
            return .late
        }
        let outcome: Outcome<Value>? = await withTaskGroup { group in
            group.addTask { () -> Outcome<Value>? in
                guard let value: Value = try? await self.landing(waiter) else { return nil }
                return .landed(value)
            }
            group.addTask { () -> Outcome<Value>? in
                do { try await clock.sleep(for: patience) } catch { return nil }
                self.state.withLock { $0.machine.keepFlying(flight) }
                return .late
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let outcome else { throw .cancelled }
        return outcome
    }

    /// Starts a fetch that nobody waits for, unless it is under way already.
    func start<Value: Sendable>(_ plan: FlightMachine.Plan, operation: @escaping @Sendable () async -> Value) {
        // Nobody waits, so there is nothing to go round in circles.
        guard let (flight, waiter, _) = try? board(plan, from: nil, operation) else { return }
        keepFlying(flight, without: waiter)
    }

    /// Lets nobody join the flights that are meant any more: whoever asks from now on gets an answer to a later request.
    /// Those aboard still get theirs.
    func detach(where isMeant: (FlightMachine.Plan) -> Bool) {
        state.withLock { $0.machine.detach(where: isMeant) }
    }

    /// Gives up the flights of a partition; those aboard throw.
    func cancel(partition: String) {
        act { state in
            state.machine.cancel { $0.key.place.partition.utf8.elementsEqual(partition.utf8) }
        }
    }

    /// Waits until no flight is under way any more, and what they brought is stored; or until the task is cancelled.
    func settle() async {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isOver = state.withLock { state in
                    guard state.machine.count > 0, !Task.isCancelled else { return true }
                    state.settling[ticket] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.settling.removeValue(forKey: ticket) }?.resume()
        }
    }

    // MARK: What there is

    /// How many wait for the flight of `key`; `nil` when there is none.
    func waiterCount(of key: Key) -> Int? {
        state.withLock { $0.machine.waiterCount(of: key) }
    }

    func isUnderWay(_ key: Key) -> Bool {
        state.withLock { $0.machine.isUnderWay(key) }
    }

    /// Whether something of a kind is being fetched under a key.
    func isUnderWay(_ place: StoreKey, kind: (String) -> Bool) -> Bool {
        state.withLock { state in state.machine.isUnderWay { $0.place == place && kind($0.kind) } }
    }

    /// How many wait for a flight now.
    var waiterCount: Int {
        state.withLock { $0.machine.waiterCount }
    }

    // MARK: Doing what the machine says

    private func board<Value: Sendable>(
        _ plan: FlightMachine.Plan, from asking: FlightMachine.FlightID?,
        _ operation: @escaping @Sendable () async -> Value
    ) throws(Trouble) -> (FlightMachine.FlightID, FlightMachine.WaiterID, isNew: Bool) {
        var boarding = FlightMachine.Boarding.circular
        act { state in
            let (outcome, effects) = state.machine.board(plan, from: asking)
            boarding = outcome
            if case .aboard(let flight, let waiter, let isNew) = outcome {
                state.waiting[waiter] = .boarded
                if isNew { state.operations[flight] = operation }
            }
            return effects
        }
        guard case .aboard(let flight, let waiter, let isNew) = boarding else { throw .circular }
        return (flight, waiter, isNew)
    }

    private func keepFlying(_ flight: FlightMachine.FlightID, without waiter: FlightMachine.WaiterID) {
        act { state in
            state.machine.keepFlying(flight)
            state.waiting[waiter] = nil
            return state.machine.leave(waiter)
        }
    }

    private func landing<Value: Sendable>(_ waiter: FlightMachine.WaiterID) async throws(Trouble) -> Value {
        let value = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Continuation) in
                let answer: (any Sendable)?? = state.withLock { state in
                    switch state.waiting[waiter] {
                    case .boarded:
                        state.waiting[waiter] = .suspended(continuation)
                        return nil
                    case .landed(let value):
                        state.waiting[waiter] = nil
                        return .some(value)
                    case .suspended, nil:
                        return .some(nil)
                    }
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leave(waiter)
        }
        guard let value = value as? Value else { throw .cancelled }
        return value
    }

    private func leave(_ waiter: FlightMachine.WaiterID) {
        var continuation: Continuation?
        act { state in
            if case .suspended(let waiting) = state.waiting.removeValue(forKey: waiter) { continuation = waiting }
            return state.machine.leave(waiter)
        }
        continuation?.resume(returning: nil)
    }

    private func land(_ flight: FlightMachine.FlightID, _ value: any Sendable) {
        var continuations: [Continuation] = []
        act { state in
            state.tasks[flight] = nil
            let (aboard, effects) = state.machine.land(flight)
            for waiter in aboard {
                switch state.waiting[waiter] {
                case .suspended(let continuation):
                    state.waiting[waiter] = nil
                    continuations.append(continuation)
                case .boarded:
                    state.waiting[waiter] = .landed(value)
                case .landed, nil:
                    break
                }
            }
            return effects
        }
        for continuation in continuations { continuation.resume(returning: value) }
    }

    /// Changes the state, and does what the machine says is to be done.
    private func act(_ body: (inout State) -> FlightMachine.Effects) {
        var settled: [CheckedContinuation<Void, Never>] = []
        let (cancelled, released, dropped) = state.withLock {
            state -> ([Task<Void, Never>], [Continuation], [Operation]) in
            let effects = body(&state)
            defer {
                if state.machine.count == 0 {
                    settled = Array(state.settling.values)
                    state.settling = [:]
                }
            }
            for flight in effects.start {
                guard let operation = state.operations.removeValue(forKey: flight) else { continue }
                state.tasks[flight] = fly(flight, operation)
            }
            let dropped = effects.drop.compactMap { state.operations.removeValue(forKey: $0) }
            let released = effects.release.compactMap { waiter -> Continuation? in
                guard case .suspended(let continuation) = state.waiting.removeValue(forKey: waiter) else { return nil }
                return continuation
            }
            return (effects.cancel.compactMap { state.tasks[$0] }, released, dropped)
        }
        for task in cancelled { task.cancel() }
        for continuation in released { continuation.resume(returning: nil) }
        for continuation in settled { continuation.resume() }
        // What an app's closure holds is let go when the lock is open.
        withExtendedLifetime(dropped) {}
    }

    private func fly(_ flight: FlightMachine.FlightID, _ operation: @escaping Operation) -> Task<Void, Never> {
        Task {
            let value = await Self.$current.withValue((ObjectIdentifier(self), flight)) { await operation() }
            self.land(flight, value)
        }
    }
}
