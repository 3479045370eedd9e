import Synchronization

/// Passes on that somebody has begun or ended to follow, to whom it was set up for later.
final class AttentionRelay: Sendable {
    private let target = Mutex<@Sendable () -> Void>({})

    func set(_ body: @escaping @Sendable () -> Void) { target.withLock { $0 = body } }

    func call() {
        let body = target.withLock { $0 }
        body()
    }
}
