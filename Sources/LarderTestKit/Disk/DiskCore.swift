import Foundation
import Synchronization

/// What one faulty disk is to do, and what it has done.
final class DiskCore: Sendable {
    struct Plan {
        let number: Int
        let operations: Set<DiskOperation>
        let fault: DiskFault
        let failing: DiskFailing
        /// How many operations it has been asked about that count.
        var seen = 0

        /// Whether this operation is to fail.
        mutating func takes(_ operation: DiskOperation) -> Bool {
            guard operations.contains(operation), fault.concerns(operation) else { return false }
            seen += 1
            return seen == number || seen > number && failing == .fromThenOn
        }
    }

    private struct State {
        var counts: [DiskOperation: Int] = [:]
        var faultCount = 0
        var plan: Plan?
        var recorder: DiskRecorder?
    }

    private let state = Mutex(State())

    func plan(_ plan: Plan?) { state.withLock { $0.plan = plan } }

    func reset() {
        state.withLock { state in
            state.plan = nil
            state.counts = [:]
            state.faultCount = 0
        }
    }

    var counts: [DiskOperation: Int] { state.withLock { $0.counts } }
    var faultCount: Int { state.withLock { $0.faultCount } }

    /// Counts an operation, and says how it is to fail.
    func judge(_ operation: DiskOperation) -> DiskFault? {
        state.withLock { state in
            state.counts[operation, default: 0] += 1
            guard state.plan?.takes(operation) == true else { return nil }
            state.faultCount += 1
            return state.plan?.fault
        }
    }

    // MARK: Recording

    func startRecording(_ recorder: DiskRecorder) { state.withLock { $0.recorder = recorder } }

    func stopRecording() -> DiskRecording? {
        state.withLock { state in
            defer { state.recorder = nil }
            return state.recorder?.recording
        }
    }

    /// How much was written down so far.
    var moment: Int { state.withLock { $0.recorder?.recording.events.count ?? 0 } }

    /// Writes down what was done. `make` is called only while that is done.
    func record(_ make: (String) -> DiskEvent, at path: String) {
        state.withLock { state in
            guard let name = state.recorder?.name(of: path) else { return }
            state.recorder?.recording.events.append(make(name))
        }
    }

    func recordRename(_ path: String, to other: String) {
        state.withLock { state in
            guard let name = state.recorder?.name(of: path), let new = state.recorder?.name(of: other) else { return }
            state.recorder?.recording.events.append(.rename(name, to: new))
        }
    }
}
