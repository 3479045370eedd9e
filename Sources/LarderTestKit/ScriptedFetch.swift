import Synchronization

/// A fetch that follows a script: the first call gets the first step, and so on. Anything beyond the script is objected
/// to, thrown as ``Unscripted`` and remembered, since the code under test may swallow the error.
///
/// ```swift
/// let origin = ScriptedFetch<Void, Profile>(.answer(ada), .fail(.http(status: 503)))
/// let profile = larder.common.resource("profile") { try await origin() }
/// // …
/// try origin.verify()
/// ```
///
/// Safe to call from many tasks at once: each call takes one step, in the order the calls arrive.
public final class ScriptedFetch<Request: Sendable, Value: Sendable>: Sendable {
    private struct State {
        var script: [Step]
        var requests: [Request] = []
        var unexpected: [Request] = []
        var watchers = WaitingLine<Int>()

        /// The step for the next request, or `nil` when the script has run out.
        mutating func take(_ request: Request) -> Step? {
            requests.append(request)
            let number = requests.count - unexpected.count
            guard number <= script.count else {
                unexpected.append(request)
                return nil
            }
            return script[number - 1]
        }
    }

    private let state: Mutex<State>

    public init(_ script: Step...) {
        state = Mutex(State(script: script))
    }

    public init(_ script: [Step]) {
        state = Mutex(State(script: script))
    }

    /// Adds steps to the end of the script.
    public func append(_ steps: Step...) {
        state.withLock { $0.script += steps }
    }

    /// Takes the next step and does what it says.
    ///
    /// - Throws: what the step says; ``Unscripted`` when no step is left; `CancellationError` when the task is cancelled
    ///   while the step holds it.
    public func callAsFunction(_ request: Request) async throws -> Value {
        let (step, number, satisfied) = state.withLock { state in
            let step = state.take(request)
            return (step, state.requests.count, state.watchers.takeAll(upTo: state.requests.count))
        }
        for watcher in satisfied { watcher.resume() }
        guard let step else { throw Unscripted(number: number, request: String(describing: request)) }
        return try await step.perform(request)
    }

    /// All requests so far, in the order they came, the unscripted ones included.
    public var requests: [Request] {
        state.withLock { $0.requests }
    }

    /// The requests that came when the script had run out.
    public var unexpected: [Request] {
        state.withLock { $0.unexpected }
    }

    /// How many steps have not been taken yet.
    public var remaining: Int {
        state.withLock { $0.script.count - ($0.requests.count - $0.unexpected.count) }
    }

    /// Whether every step has been taken. A step that is taken may still be held at its gate.
    public var isExhausted: Bool { remaining == 0 }

    /// Returns when at least `count` requests have come, or when the calling task is cancelled.
    public func requests(atLeast count: Int) async {
        let ticket = state.withLock { $0.watchers.drawTicket() }
        try? await WaitingLine<Int>.wait { continuation in
            state.withLock { state in
                if Task.isCancelled { return .failure(CancellationError()) }
                if state.requests.count >= count { return .success(()) }
                state.watchers.join(ticket, key: count, continuation)
                return nil
            }
        } leave: {
            state.withLock { $0.watchers.leave(ticket) }
        }
    }

    /// Checks that the script was followed to its end and not beyond.
    ///
    /// - Throws: ``ScriptViolation`` when a request was unscripted or a step was never taken.
    public func verify() throws(ScriptViolation) {
        let (unexpected, remaining) = (unexpected.map { String(describing: $0) }, remaining)
        guard unexpected.isEmpty, remaining == 0 else {
            throw ScriptViolation(unexpected: unexpected, remaining: remaining)
        }
    }
}

extension ScriptedFetch where Request == Void {
    /// The call of a fetch that takes no request.
    public func callAsFunction() async throws -> Value {
        try await self(())
    }
}
