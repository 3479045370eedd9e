import Dispatch
import Synchronization

/// Runs what blocks for long outside of the few threads that run all tasks.
enum OwnThread {
    /// - Parameter body: Given what tells whether the calling task still wants it.
    static func run<R: Sendable>(
        _ body: @escaping @Sendable (_ mayGoOn: @escaping @Sendable () -> Bool) throws -> R
    ) async throws(StorageError) -> R {
        let isCancelled = SharedFlag()
        return try await storing {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    DispatchQueue(label: "larder.repair").async {
                        continuation.resume(with: Result { try body { !isCancelled.isSet } })
                    }
                }
            } onCancel: {
                isCancelled.set()
            }
        }
    }
}

/// A flag that is set once.
private final class SharedFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
