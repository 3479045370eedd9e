import Dispatch
import Synchronization

package import struct Foundation.Data
package import struct Foundation.Date

/// What became of a request, for a line of a log.
package struct AccessRecord: Sendable {
    package var time: Date
    package var peer: String
    package var method: String
    /// Without what may be secret in its query: see the log's own words.
    package var target: String
    package var status: Int
    package var bodyBytes: Int
    package var duration: Duration
    package var isComplete: Bool
    /// A ``ProxyResult``, or `refused`; `nil` where it is not known.
    package var result: String?
    /// Why, where it was not answered as it should be.
    package var detail: String?

    package init(
        time: Date, peer: String, method: String, target: String, status: Int, bodyBytes: Int, duration: Duration,
        isComplete: Bool, result: String?, detail: String?
    ) {
        self.time = time
        self.peer = peer
        self.method = method
        self.target = target
        self.status = status
        self.bodyBytes = bodyBytes
        self.duration = duration
        self.isComplete = isComplete
        self.result = result
        self.detail = detail
    }
}

/// Writes lines on a queue of its own, so that no loop waits for a disk or a terminal. When more wait than can be remembered, they are
/// counted and passed over.
package final class AccessLog: Sendable {
    private struct State {
        var records: [AccessRecord] = []
        var isScheduled = false
        var lost = 0
    }

    private static let limit = 20_000
    private let queue = DispatchQueue(label: "larder.access-log")
    private let write: @Sendable ([AccessRecord], _ lost: Int) -> Void
    private let state = Mutex(State())

    /// - Parameter write: Called on the log's queue, with what came since it was last called.
    package init(write: @escaping @Sendable (_ records: [AccessRecord], _ lost: Int) -> Void) {
        self.write = write
    }

    func note(_ record: AccessRecord) {
        let isFirst = state.withLock { state -> Bool in
            guard state.records.count < Self.limit else {
                state.lost += 1
                return false
            }
            state.records.append(record)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { queue.async { self.flush() } }
    }

    /// Writes what waits, and returns when it is written.
    package func flush() {
        let (records, lost) = state.withLock { state in
            defer { state = State() }
            return (state.records, state.lost)
        }
        if !records.isEmpty || lost > 0 { write(records, lost) }
    }
}
