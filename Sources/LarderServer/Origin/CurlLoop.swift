import CCurl
import Foundation
import LarderKit
import Synchronization

/// The thread that moves all transfers of a client.
///
/// State, and what guards it:
/// - `inbox`: commands on their way to the thread, under its lock;
/// - `transfers`: used on the thread only;
/// - `multi`: used on the thread, except that `curl_multi_wakeup`, which libcurl lets any thread call, is called under
///   the lock of `inbox` and never once that is closed.
///
/// `@unchecked Sendable`: `transfers` and `multi` are confined as told above; the rest is guarded by the lock.
final class CurlLoop: @unchecked Sendable {
    typealias Completion = @Sendable (Result<RawAnswer, FetchFailure>) -> Void

    private struct Inbox {
        struct Start {
            let id: Int
            let request: CurlRequest
            let completion: Completion
        }

        var starts: [Start] = []
        /// Transfers to end. An id may be here before its start, which then comes to nothing.
        var cancelled: Set<Int> = []
        var lastID = 0
        var isStopping = false
        var isClosed = false
    }

    private let inbox = Mutex(Inbox())
    private let multi: UnsafeMutableRawPointer?
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]

    init() {
        multi = Self.isCurlReady ? curl_multi_init() : nil
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

    private static let isCurlReady = larder_curl_prepare() == CURLE_OK

    func newID() -> Int {
        inbox.withLock {
            $0.lastID += 1
            return $0.lastID
        }
    }

    /// Starts a transfer. `completion` is called exactly once, on the loop's thread, or here if the loop has ended.
    func begin(_ id: Int, _ request: CurlRequest, completion: @escaping Completion) {
        let isTaken = tell { $0.starts.append(.init(id: id, request: request, completion: completion)) }
        if !isTaken { completion(.failure(.stopped)) }
    }

    func cancel(_ id: Int) {
        tell { $0.cancelled.insert(id) }
    }

    /// After the completion of `id`: a cancellation that came too late leaves nothing behind.
    func forget(_ id: Int) {
        _ = inbox.withLock { $0.cancelled.remove(id) }
    }

    /// Whether the thread will hear of it.
    @discardableResult
    private func tell(_ change: (inout Inbox) -> Void) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            change(&inbox)
            curl_multi_wakeup(multi)
            return true
        }
    }
}

// MARK: On the thread

extension CurlLoop {
    private func run() {
        while obeyOrders() {
            var running: Int32 = 0
            curl_multi_perform(multi, &running)
            endFinished()
            // It returns earlier when a transfer needs it, or on a wake-up.
            curl_multi_poll(multi, nil, 0, 60_000, nil)
        }
        curl_multi_cleanup(multi)
    }

    /// `false` when the loop is to end; no transfer is left then.
    private func obeyOrders() -> Bool {
        let (starts, cancelled, goesOn) = inbox.withLock { inbox in
            let goesOn = !inbox.isStopping && multi != nil
            inbox.isClosed = !goesOn
            defer { inbox.starts = [] }
            return (inbox.starts, inbox.cancelled, goesOn)
        }
        for transfer in Array(transfers.values) where !goesOn || cancelled.contains(transfer.id) {
            end(transfer, .failure(.stopped))
        }
        for start in starts {
            guard goesOn, !cancelled.contains(start.id),
                let transfer = CurlTransfer(start.request, id: start.id, completion: start.completion)
            else {
                start.completion(.failure(.stopped))
                continue
            }
            transfers[transfer.easy] = transfer
            curl_multi_add_handle(multi, transfer.easy)
        }
        return goesOn
    }

    private func endFinished() {
        var code = CURLE_OK
        while let easy = larder_curl_next_finished(multi, &code) {
            guard let transfer = transfers[easy] else { continue }
            end(transfer, transfer.result(code))
        }
    }

    private func end(_ transfer: CurlTransfer, _ result: Result<RawAnswer, FetchFailure>) {
        // First the answer: libcurl waits for a name being looked up before it lets go of a handle.
        transfer.completion(result)
        curl_multi_remove_handle(multi, transfer.easy)
        transfers[transfer.easy] = nil
    }
}
