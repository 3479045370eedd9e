/// Suspended tasks in the order of a key, and among equal keys in the order they came.
///
/// A value, kept under its owner's lock: the owner decides under the lock and resumes outside of it.
struct WaitingLine<Key: Comparable & Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<Void, any Error>
    typealias Ticket = UInt64

    struct Place: Sendable {
        let key: Key
        let ticket: Ticket
        let continuation: Continuation
    }

    private var places: [Place] = []
    private var nextTicket: Ticket = 0

    var count: Int { places.count }
    var first: Place? { places.first }

    /// A number to be known by, drawn before waiting so that a cancellation handler knows it.
    mutating func drawTicket() -> Ticket {
        defer { nextTicket += 1 }
        return nextTicket
    }

    mutating func join(_ ticket: Ticket, key: Key, _ continuation: Continuation) {
        let index = places.firstIndex { $0.key > key } ?? places.endIndex
        places.insert(Place(key: key, ticket: ticket, continuation: continuation), at: index)
    }

    /// Takes `ticket` out of the line; `nil` when it is not in it.
    mutating func leave(_ ticket: Ticket) -> Continuation? {
        guard let index = places.firstIndex(where: { $0.ticket == ticket }) else { return nil }
        return places.remove(at: index).continuation
    }

    /// Takes out everyone whose key is at most `key`.
    mutating func takeAll(upTo key: Key) -> [Continuation] {
        let end = places.firstIndex { $0.key > key } ?? places.endIndex
        defer { places.removeSubrange(..<end) }
        return places[..<end].map(\.continuation)
    }

    /// Takes out the first one, if its key is at most `key`.
    mutating func takeFirst(upTo key: Key) -> Place? {
        guard let first = places.first, first.key <= key else { return nil }
        return places.removeFirst()
    }
}

extension WaitingLine {
    /// Suspends the task until somebody takes it out of its line.
    ///
    /// `enter` joins the line under the owner's lock and returns `nil`, or returns what ends the wait at once; it must
    /// look at `Task.isCancelled` under that same lock. `leave` takes the task out of the line when it is cancelled.
    /// Between the two no cancellation is lost: the flag is set before `leave` runs.
    static func wait(
        enter: (Continuation) -> Result<Void, any Error>?, leave: @Sendable () -> Continuation?
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let outcome = enter(continuation) { continuation.resume(with: outcome) }
            }
        } onCancel: {
            leave()?.resume(throwing: CancellationError())
        }
    }
}
