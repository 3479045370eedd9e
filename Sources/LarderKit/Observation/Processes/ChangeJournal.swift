import Synchronization

/// Tells those who listen to all changes of a cache.
final class ChangeJournal: Sendable {
    private struct Weak {
        weak var listener: ChangeListener?
    }

    private struct State {
        var listeners: [ObjectIdentifier: Weak] = [:]
        /// What this process has changed since that was last asked; `nil` when it was too much to be kept.
        var own: Set<LarderChange.Subject>? = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let count = Atomic(0)
    /// Called when somebody begins to listen, and when the last has ended.
    private let attended: @Sendable () -> Void

    init(attended: @escaping @Sendable () -> Void = {}) { self.attended = attended }

    var isHeard: Bool { count.load(ordering: .acquiring) > 0 }

    func listen() -> ChangeListener {
        let listener = ChangeListener(self)
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.listeners[ObjectIdentifier(listener)] = Weak(listener: listener)
            count.store(state.listeners.count, ordering: .releasing)
            return false
        }
        if isClosed { listener.end() } else { attended() }
        return listener
    }

    func forget(_ listener: ObjectIdentifier) {
        let isEmpty = state.withLock { state in
            state.listeners[listener] = nil
            count.store(state.listeners.count, ordering: .releasing)
            return state.listeners.isEmpty
        }
        if isEmpty { attended() }
    }

    /// Tells of what this process has committed. Where nobody listens, it costs a look at a number.
    func note(_ subject: LarderChange.Subject) {
        guard isHeard else { return }
        state.withLock { state in
            state.own?.insert(subject)
            if let own = state.own, own.count > ChangeListener.limit { state.own = nil }
        }
        note([subject], by: .thisProcess)
    }

    func note(_ subjects: [LarderChange.Subject], by origin: LarderChange.Origin) {
        guard !subjects.isEmpty else { return }
        // Out of the lock before they are told and let go: the last reference to one takes the lock again.
        let listeners = state.withLock { $0.listeners.values.compactMap(\.listener) }
        for listener in listeners { listener.note(subjects.map { LarderChange($0, by: origin) }) }
    }

    /// What this process has changed since this was last asked; `nil` when that was too much to be kept.
    func takeOwn() -> Set<LarderChange.Subject>? {
        state.withLock { state in
            defer { state.own = [] }
            return state.own
        }
    }

    func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            return state.listeners.values.compactMap(\.listener)
        }
        for listener in listeners { listener.end() }
    }
}
