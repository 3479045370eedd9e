import Synchronization

/// What is committed to a cache from the moment it was asked for: ``Larder/changes()``.
public struct LarderChanges: AsyncSequence, Sendable {
    let listener: ChangeListener

    public func makeAsyncIterator() -> Iterator { Iterator(listener: listener) }

    public struct Iterator: AsyncIteratorProtocol {
        let listener: ChangeListener

        public mutating func next() async -> LarderChange? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> LarderChange? {
            await listener.next()
        }
    }
}

extension Larder {
    /// What is committed to this cache from now on, by whichever handle of whichever process: which resource, which feed.
    ///
    /// ```swift
    /// for await change in larder.changes() { print(change.subject, change.origin) }
    /// ```
    ///
    /// A change says that something is another one now, and not how often it was changed: what is not taken yet is told once.
    /// When a consumer is far behind, what it missed becomes one change of ``LarderChange/Subject/everything``; such a one may come
    /// first as well, for what was committed while listening began. Values outside of the database are told of where this process
    /// stores them. One consumer a sequence; it ends when the larder is closed, and for a task that is cancelled.
    ///
    /// - Complexity: While somebody listens, O(number of values and items) after another process has committed; nothing before.
    public func changes() -> LarderChanges {
        LarderChanges(listener: core.changes.journal.listen())
    }
}

/// One who is told of changes, and has not taken all of them yet.
final class ChangeListener: Sendable {
    private struct State {
        /// In the order they came. No change is in it twice.
        var pending: [LarderChange] = []
        var known: Set<LarderChange> = []
        var waiting: CheckedContinuation<Void, Never>?
        var isEnded = false

        mutating func takeWaiting() -> CheckedContinuation<Void, Never>? {
            defer { waiting = nil }
            return waiting
        }
    }

    /// When more than this is not taken, it becomes one change.
    static let limit = 1000

    private let journal: ChangeJournal
    private let state = Mutex(State())

    init(_ journal: ChangeJournal) { self.journal = journal }

    deinit { journal.forget(ObjectIdentifier(self)) }

    func note(_ changes: [LarderChange]) {
        let waiting = state.withLock { state in
            guard !state.isEnded else { return state.takeWaiting() }
            for change in changes where state.known.insert(change).inserted { state.pending.append(change) }
            if state.pending.count > Self.limit {
                let origins: [LarderChange.Origin] = [.thisProcess, .otherProcess]
                state.pending = origins.filter { origin in state.pending.contains { $0.origin == origin } }
                    .map { LarderChange(.everything, by: $0) }
                state.known = Set(state.pending)
            }
            return state.takeWaiting()
        }
        waiting?.resume()
    }

    func end() {
        let waiting = state.withLock { state in
            state.isEnded = true
            return state.takeWaiting()
        }
        waiting?.resume()
    }

    /// The next change; `nil` when there is nothing more to come, or the task is cancelled.
    func next() async -> LarderChange? {
        while true {
            let (change, isOver) = state.withLock { state -> (LarderChange?, Bool) in
                guard !state.pending.isEmpty else { return (nil, state.isEnded) }
                let change = state.pending.removeFirst()
                state.known.remove(change)
                return (change, false)
            }
            if let change { return change }
            if isOver || Task.isCancelled { return nil }
            await wait()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let past = state.withLock { state -> CheckedContinuation<Void, Never>? in
                    guard state.pending.isEmpty, !state.isEnded, !Task.isCancelled else { return continuation }
                    defer { state.waiting = continuation }
                    return state.waiting
                }
                past?.resume()
            }
        } onCancel: {
            state.withLock { $0.takeWaiting() }?.resume()
        }
    }
}
