import CEvents
import Foundation
import Synchronization

/// Where there is no room for more connections.
extension EventLoop {
    func turnAway(_ arrival: LoopInbox.Arrival) {
        counters.turnedAway.add(1, ordering: .relaxed)
        guard let turnedAway = acceptor?.turnedAway, turnedAway < Self.turnedAwayAtOnce else {
            Self.turnAwayNow(arrival.socket)
            return
        }
        acceptor?.turnedAway += 1
        adopt(arrival, isTurnedAway: true)
    }

    /// Sends what fits, takes what has come (what is left unread would destroy it), and closes.
    private static func turnAwayNow(_ socket: Int32) {
        var answer = OutputQueue()
        answer.append(fullHouse)
        _ = answer.send(to: socket)
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { buffer in
            _ = larder_receive(socket, buffer.baseAddress, buffer.count)
        }
        Foundation.close(socket)
    }

    func turnAwayWithoutRoom(_ listener: Int32, _ peer: UnsafeMutableBufferPointer<CChar>) -> Bool {
        guard let spare = acceptor?.spare, spare >= 0 else {
            acceptor?.spare = larder_spare_descriptor()
            pause()
            return false
        }
        Foundation.close(spare)
        let socket = larder_accept(listener, peer.baseAddress, peer.count)
        if socket >= 0 {
            counters.accepted.add(1, ordering: .relaxed)
            counters.turnedAway.add(1, ordering: .relaxed)
            Self.turnAwayNow(socket)
        }
        acceptor?.spare = larder_spare_descriptor()
        if socket < 0 { pause() }
        return socket >= 0
    }

    func pause() {
        guard let listener = acceptor?.listener, acceptor?.isPaused == false else { return }
        larder_events_unwatch_readable(queue, listener)
        acceptor?.isPaused = true
    }

    func endPause() {
        guard let listener = acceptor?.listener, acceptor?.isPaused == true else { return }
        acceptor?.isPaused = larder_events_watch_readable(queue, listener, Self.acceptorToken) != 0
    }

    /// Has every loop close connections that have waited the longest, so that others find a place.
    ///
    /// - Returns: Whether there is one already.
    func makeRoom() -> Bool {
        guard let acceptor, now >= acceptor.lastEviction + Self.evictionPause else { return false }
        self.acceptor?.lastEviction = now
        for inbox in acceptor.inboxes.dropFirst() { inbox.makeRoom() }
        return closeLongestWaiting()
    }

    @discardableResult
    func closeLongestWaiting() -> Bool {
        let latest = now - min(options.patience.idleWhenCrowded.wholeMilliseconds, now)
        let candidates = connections.all.filter { connection in
            guard case .waiting = connection.phase, connection.output.isEmpty else { return false }
            return connection.waitingSince <= latest
        }
        let longest = candidates.sorted { $0.waitingSince < $1.waitingSince }.prefix(max(connections.count / 16, 1))
        for connection in longest { close(connection) }
        return !longest.isEmpty
    }

    private static let turnedAwayAtOnce = 256
    /// Milliseconds.
    private static let evictionPause: UInt64 = 20

    static let fullHouse: StaticString = """
        HTTP/1.1 503 Service Unavailable\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: 40\r
        Retry-After: 1\r
        Connection: close\r
        \r
        there are too many connections just now

        """
}
