import LarderHTTPCache
import Synchronization

import struct Foundation.Data

/// What a handler's task says to the loop about its exchange, and how it hears that there is room for more.
final class ExchangeMailbox: Sendable {
    enum Order: Sendable {
        case interim(FrontHead)
        case begin(FrontHead, length: Int?)
        case data(Data)
        case end
        case abort
        case whole(FrontAnswer)
        case wantsBody
        case bodyHasRoom
        case bodyIsAbandoned
        case handlerReturned
    }

    private struct State {
        var orders: [Order] = []
        /// Bytes on their way to the client.
        var waiting = 0
        var isGone = false
        /// Nothing can be said any more.
        var isOver = false
        var writer: CheckedContinuation<Bool, Never>?
        var note: String?
    }

    /// Of the connection: see ``ConnectionTable``.
    let connection: UInt64
    private let inbox: LoopInbox
    private let limit: Int
    private let state = Mutex(State())

    init(connection: UInt64, inbox: LoopInbox, limit: Int) {
        self.connection = connection
        self.inbox = inbox
        self.limit = limit
    }

    // MARK: The task's side

    var isGone: Bool { state.withLock { $0.isGone } }

    func post(_ order: Order) {
        let isFirst = state.withLock { state -> Bool in
            guard !state.isGone else { return false }
            switch order {
            case .end, .abort, .whole:
                guard !state.isOver else { return false }
                state.isOver = true
            default: break
            }
            state.orders.append(order)
            return state.orders.count == 1
        }
        if isFirst { inbox.post(self) }
    }

    func write(_ data: Data) async -> Bool {
        guard !data.isEmpty else { return !isGone }
        let (isWanted, isFirst, isFull) = state.withLock { state -> (Bool, Bool, Bool) in
            guard !state.isGone, !state.isOver else { return (false, false, false) }
            state.orders.append(.data(data))
            state.waiting += data.count
            return (true, state.orders.count == 1, state.waiting >= limit)
        }
        if isFirst { inbox.post(self) }
        guard isWanted, isFull else { return isWanted }
        return await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.isGone { return false }
                if state.waiting < limit { return true }
                state.writer = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func note(_ text: String) { state.withLock { $0.note = text } }

    // MARK: The loop's side

    var note: String? { state.withLock { $0.note } }

    func takeOrders() -> [Order] {
        state.withLock { state in
            defer { state.orders = [] }
            return state.orders
        }
    }

    /// So many bytes of what was written have left.
    func didSend(_ count: Int) {
        let writer = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.waiting -= count
            return state.waiting < limit ? state.writer.take() : nil
        }
        writer?.resume(returning: true)
    }

    /// Nothing can be sent any more.
    func close() {
        let writer = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.isGone = true
            state.orders = []
            return state.writer.take()
        }
        writer?.resume(returning: false)
    }
}
