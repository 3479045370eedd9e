import CEvents
import Foundation
import Synchronization

/// One thread, and the connections it serves.
///
/// Everything but ``inbox``, `handler` and the counters is used on the loop's thread only, from ``start()`` on: that is
/// what `@unchecked Sendable` stands on. Other threads speak to it through the inbox.
final class EventLoop: @unchecked Sendable {
    let options: FrontOptions
    let handler: any FrontHandler
    let counters: FrontCounters
    let inbox: LoopInbox
    private let onEnd: @Sendable () -> Void

    let queue: Int32
    /// Where connections come in; only the first loop of a front has it.
    var acceptor: Acceptor?
    var connections = ConnectionTable()
    /// Connections with more to do than one turn allows.
    var ready: [UInt64] = []
    var now = larder_monotonic_milliseconds()
    var dateLine = DateLine()
    /// What was received last.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    /// When exchanges are cut, once the loop is to stop.
    var stopDeadline: UInt64?

    /// `nil` when the system is out of descriptors.
    init?(
        options: FrontOptions, handler: any FrontHandler, counters: FrontCounters, onEnd: @escaping @Sendable () -> Void
    ) {
        let queue = larder_events_open()
        guard queue >= 0 else { return nil }
        var wakeUp = larder_wakeup()
        guard larder_wakeup_open(&wakeUp) == 0 else {
            Foundation.close(queue)
            return nil
        }
        self.options = options
        self.handler = handler
        self.counters = counters
        self.queue = queue
        self.onEnd = onEnd
        inbox = LoopInbox(wakeUp)
        larder_events_watch_readable(queue, inbox.readable, Self.inboxToken)
    }

    deinit {
        scratch.deallocate()
    }

    func start() {
        let thread = Thread { self.run() }
        thread.name = "larder.front"
        thread.start()
    }

    /// Instead of ``start()``.
    func discard() {
        _ = inbox.close()
        Foundation.close(queue)
    }

    static let inboxToken = UInt64.max
    static let acceptorToken = UInt64.max - 1

    // MARK: On the thread

    private func run() {
        let events = UnsafeMutableBufferPointer<larder_event>.allocate(capacity: Self.batch)
        defer { events.deallocate() }
        var nextSweep = now
        while !isDone {
            let count = larder_events_wait(queue, events.baseAddress, Int32(Self.batch), timeout(until: nextSweep))
            now = larder_monotonic_milliseconds()
            for event in events.prefix(Int(max(count, 0))) { take(event) }
            for id in takeReady() {
                if let connection = connections[id] { advance(connection) }
            }
            if now >= nextSweep {
                sweep()
                nextSweep = now + tick
            }
        }
        tearDown()
    }

    private static let batch = 256

    private var isDone: Bool {
        guard let stopDeadline else { return false }
        return connections.isEmpty || now >= stopDeadline
    }

    private func timeout(until nextSweep: UInt64) -> Int32 {
        if !ready.isEmpty { return 0 }
        if connections.isEmpty, acceptor?.isPaused != true { return -1 }
        return Int32(nextSweep > now ? min(nextSweep - now, 60_000) : 0)
    }

    private func take(_ event: larder_event) {
        switch event.token {
        case Self.inboxToken: takeInbox()
        case Self.acceptorToken: accept()
        default:
            guard let connection = connections[event.token] else { return }
            if event.closed {
                close(connection)
                return
            }
            if event.readable { connection.mayRead = true }
            if event.writable { connection.mayWrite = true }
            if event.ended { noteEnd(connection) }
            advance(connection)
        }
    }

    private func takeReady() -> [UInt64] {
        guard !ready.isEmpty else { return [] }
        defer { ready.removeAll(keepingCapacity: true) }
        return ready
    }

    private func takeInbox() {
        let contents = inbox.take()
        for arrival in contents.arrivals { adopt(arrival, isTurnedAway: false) }
        for mailbox in contents.mailboxes { obey(mailbox) }
        if contents.isCrowded { closeLongestWaiting() }
        if let limit = contents.stopWithin { beginToStop(within: limit) }
    }

    private func beginToStop(within limit: Duration) {
        let deadline = now + limit.wholeMilliseconds
        stopDeadline = min(stopDeadline ?? deadline, deadline)
        acceptor?.close()
        acceptor = nil
        for connection in connections.all {
            switch connection.phase {
            case .waiting where connection.output.isEmpty, .lingering: close(connection)
            case .waiting: connection.phase = .closing
            case .exchanging, .draining, .closing: break
            }
        }
    }

    private func tearDown() {
        for arrival in inbox.close().arrivals {
            Foundation.close(arrival.socket)
            counters.open.subtract(1, ordering: .relaxed)
        }
        for connection in connections.all { close(connection) }
        Foundation.close(queue)
        onEnd()
    }
}

extension Duration {
    /// Not less than zero, rounded up.
    var wholeMilliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let milliseconds = UInt64(attoseconds) / 1_000_000_000_000_000
        return UInt64(min(seconds, 1 << 40)) * 1000 + milliseconds + (attoseconds % 1_000_000_000_000_000 > 0 ? 1 : 0)
    }
}
