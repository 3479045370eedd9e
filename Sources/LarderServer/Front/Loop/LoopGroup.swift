import CEvents
import Foundation
import Synchronization

/// The loops of one front, the first of which takes connections in for all.
final class LoopGroup: Sendable {
    let port: UInt16
    let counters: FrontCounters
    private let inboxes: [LoopInbox]
    private let ending: LoopEnding

    init(options: FrontOptions, handler: any FrontHandler) throws(HTTPFrontError) {
        func failure(_ code: Int32) -> HTTPFrontError {
            HTTPFrontError(address: options.address, port: options.port, code: code)
        }
        let files = Int(larder_raise_file_limit())
        var port: UInt16 = 0
        let listener = larder_listen(options.address, options.port, Self.backlog, &port)
        guard listener >= 0 else { throw failure(-listener) }
        let count = max(options.threads, 1)
        let (counters, ending) = (FrontCounters(), LoopEnding(count: count))
        let loops = (0..<count).compactMap { _ in
            EventLoop(options: options, handler: handler, counters: counters) { ending.countDown() }
        }
        guard loops.count == count, let first = loops.first else {
            close(listener)
            for loop in loops { loop.discard() }
            throw failure(EMFILE)
        }
        inboxes = loops.map(\.inbox)
        // Some descriptors are for whom it asks, and for files.
        first.acceptor = Acceptor(
            listener: listener, inboxes: inboxes, maximum: min(max(options.maximumConnections, 1), files * 3 / 4),
            spare: larder_spare_descriptor())
        larder_events_watch_readable(first.queue, listener, EventLoop.acceptorToken)
        self.port = port
        self.counters = counters
        self.ending = ending
        for loop in loops { loop.start() }
    }

    func stop(within limit: Duration) {
        for inbox in inboxes { inbox.stop(within: limit) }
    }

    func waitForEnd() async { await ending.wait() }

    private static let backlog: Int32 = 4096
}

/// Tells when all loops have ended.
final class LoopEnding: Sendable {
    private struct State {
        var left: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(left: count))
    }

    func countDown() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.left -= 1
            guard state.left == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state -> Bool in
                if state.left > 0 { state.waiting.append(continuation) }
                return state.left <= 0
            }
            if isOver { continuation.resume() }
        }
    }
}
