import CCurl
import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

/// The thread that moves all transfers of a client.
///
/// State, and what guards it:
/// - `inbox`: commands on their way to the thread, under its lock;
/// - `transfers`, `ids` and `timer`: used on the thread only;
/// - `multi`: used on the thread, except that waking up, which libcurl lets any thread do, is done under the lock of
///   `inbox` and never once that is closed.
///
/// `@unchecked Sendable`: what is used on the thread only is confined as told above; the rest is guarded by the lock.
final class CurlLoop: @unchecked Sendable {
    private struct Start {
        let id: Int
        let request: CurlRequest
        let sink: any CurlSink
    }

    private struct Inbox {
        var starts: [Start] = []
        /// The transfers that have not ended, among them those that are yet to be started.
        var live: Set<Int> = []
        /// Those of them that are to end. An id may be here before its start, which then comes to nothing.
        var cancelled: Set<Int> = []
        /// Those whose sinks have room again.
        var roomy: Set<Int> = []
        /// Those that have something to send again.
        var fed: Set<Int> = []
        var lastID = 0
        var isStopping = false
        var isClosed = false
    }

    private let inbox = Mutex(Inbox())
    private let multi: UnsafeMutableRawPointer?
    /// What every request comes to once the loop has ended.
    private let failure: FetchFailure
    private var transfers: [Int: CurlTransfer] = [:]
    private var ids: [UnsafeMutableRawPointer: Int] = [:]
    private let timer = CurlTimer()

    init() {
        switch SystemLibraries.curl {
        case .success:
            multi = larder_curl_multi_init()
            failure = .stopped
        case .failure(let missing):
            multi = nil
            failure = FetchFailure(.other, missing.description)
        }
    }

    /// Starts the thread, which keeps the loop alive until ``stop()``.
    func start() {
        let thread = Thread { self.run() }
        thread.name = "larder.origin"
        thread.start()
    }

    /// Ends every transfer and the thread.
    func stop() {
        tell { $0.isStopping = true }
    }

    /// The id of a transfer to be started.
    func newID() -> Int {
        inbox.withLock {
            $0.lastID += 1
            $0.live.insert($0.lastID)
            return $0.lastID
        }
    }

    /// Starts a transfer. The sink is called on the loop's thread, or here if the loop has ended.
    func begin(_ id: Int, _ request: CurlRequest, into sink: any CurlSink) {
        let isTaken = tell { $0.starts.append(Start(id: id, request: request, sink: sink)) }
        if !isTaken { Self.fail(Start(id: id, request: request, sink: sink), failure) }
    }

    /// Ends a transfer, if it has not ended yet.
    func cancel(_ id: Int) {
        tell { if $0.live.contains(id) { $0.cancelled.insert(id) } }
    }

    /// There is room for more of the answer's body again.
    func takeMore(_ id: Int) {
        tell { if $0.live.contains(id) { $0.roomy.insert(id) } }
    }

    /// There is more of the request's body to send, or its end.
    private func sendMore(_ id: Int) {
        tell { if $0.live.contains(id) { $0.fed.insert(id) } }
    }

    /// Whether the thread will hear of it.
    @discardableResult
    private func tell(_ change: (inout Inbox) -> Void) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            change(&inbox)
            if let multi { larder_curl_multi_wakeup(multi) }
            return true
        }
    }
}

// MARK: On the thread

extension CurlLoop {
    private func run() {
        while obeyOrders() {
            larder_curl_multi_perform(multi)
            endFinished()
            endOverdue()
            let patience = timer.next.map { min(($0 - .now).inMilliseconds, 60_000) } ?? 60_000
            // It returns earlier when a transfer needs it, or on a wake-up.
            larder_curl_multi_poll(multi, Int32(patience))
        }
        if let multi { larder_curl_multi_cleanup(multi) }
    }

    /// `false` when the loop is to end; no transfer is left then.
    private func obeyOrders() -> Bool {
        let orders = inbox.withLock { inbox in
            inbox.isClosed = inbox.isStopping || multi == nil
            defer {
                inbox.starts = []
                inbox.roomy = []
                inbox.fed = []
            }
            return inbox
        }
        for start in orders.starts {
            if orders.isClosed || orders.cancelled.contains(start.id) {
                forget(start.id)
                Self.fail(start, failure)
            } else {
                begin(start)
            }
        }
        for id in orders.isClosed ? Set(transfers.keys) : orders.cancelled {
            if let transfer = transfers[id] { end(transfer, .failure(.stopped)) }
        }
        for id in orders.roomy { transfers[id]?.hasRoom() }
        for id in orders.roomy.union(orders.fed) {
            if let transfer = transfers[id], let result = transfer.resume() { end(transfer, result) }
        }
        return !orders.isClosed
    }

    private func begin(_ start: Start) {
        let id = start.id
        let transfer = CurlTransfer(start.request, id: id, sink: start.sink, timer: timer) { [weak self] in
            self?.sendMore(id)
        }
        guard let transfer else {
            forget(id)
            return Self.fail(start, Self.noMemory)
        }
        transfers[id] = transfer
        ids[transfer.easy] = id
        if larder_curl_multi_add(multi, transfer.easy) != CURLM_OK { end(transfer, .failure(Self.noMemory)) }
    }

    private static let noMemory = FetchFailure(.other, "no memory is left")

    private func endFinished() {
        var code = CURLE_OK
        while let easy = larder_curl_multi_next_finished(multi, &code) {
            guard let id = ids[easy], let transfer = transfers[id] else { continue }
            end(transfer, transfer.result(code))
        }
    }

    private func endOverdue() {
        let now = ContinuousClock.now
        guard let next = timer.next, next <= now else { return }
        timer.clear()
        for transfer in Array(transfers.values) {
            guard let deadline = transfer.deadline else { continue }
            if deadline <= now {
                end(transfer, .failure(FetchFailure(.timedOut, "no answer came in time")))
            } else {
                timer.note(deadline)
            }
        }
    }

    private func end(_ transfer: CurlTransfer, _ result: Result<Void, FetchFailure>) {
        larder_curl_multi_remove(multi, transfer.easy)
        transfers[transfer.id] = nil
        ids[transfer.easy] = nil
        forget(transfer.id)
        transfer.upload?.stop()
        transfer.sink.end(result)
    }

    private static func fail(_ start: Start, _ failure: FetchFailure) {
        start.request.body?.pipe.abandon()
        start.sink.end(.failure(failure))
    }

    private func forget(_ id: Int) {
        inbox.withLock {
            $0.live.remove(id)
            $0.cancelled.remove(id)
        }
    }
}
