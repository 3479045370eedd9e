import Foundation
import LarderKit
import LarderTestKit
import Synchronization

/// A read that goes on by itself until its answer is there.
final class PendingCall: Sendable {
    private let result = Mutex<HTTPOutcome?>(nil)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// What it got, as soon as it has it.
    var outcome: HTTPOutcome? { result.withLock { $0 } }

    /// Begins to read.
    convenience init(_ resource: Resource<Data>, _ policy: ReadPolicy, clock: ManualClock) {
        self.init(clock: clock) {
            do throws(LarderError) {
                return HTTPOutcome(try await resource.read(policy))
            } catch {
                return HTTPOutcome(error)
            }
        }
    }

    /// Begins anything that ends with what a caller gets.
    init(clock: ManualClock, _ work: @escaping @Sendable () async -> HTTPOutcome) {
        let start = clock.elapsed
        let task = Task {
            var outcome = await work()
            outcome.wait = clock.elapsed - start
            self.result.withLock { [outcome] in $0 = outcome }
        }
        self.task.withLock { $0 = task }
    }

    /// Cancels the task that reads.
    func cancel() { task.withLock { $0?.cancel() } }
}
