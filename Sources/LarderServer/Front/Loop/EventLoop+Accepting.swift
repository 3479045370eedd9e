import CEvents
import Foundation
import Synchronization

/// The listening socket, and how its connections are dealt out.
struct Acceptor {
    let listener: Int32
    let inboxes: [LoopInbox]
    let maximum: Int
    /// Kept so that a connection can be taken, and told off, when no descriptor is left.
    var spare: Int32
    var next = 0
    /// Nothing can be taken at the moment; the listener is not looked at before the next sweep.
    var isPaused = false
    var turnedAway = 0
    /// When room was last looked for.
    var lastEviction: UInt64 = 0

    func close() {
        Foundation.close(listener)
        if spare >= 0 { Foundation.close(spare) }
    }
}

extension EventLoop {
    /// Takes what has come in, a bounded number at a time.
    func accept() {
        for _ in 0..<Self.acceptedAtOnce {
            guard let acceptor, !acceptor.isPaused, takeOne(from: acceptor.listener) else { return }
        }
    }

    /// Whether there may be more.
    private func takeOne(from listener: Int32) -> Bool {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { peer in
            let socket = larder_accept(listener, peer.baseAddress, peer.count)
            guard socket < 0 else {
                deal(LoopInbox.Arrival(socket: socket, peer: peer.baseAddress.map { String(cString: $0) } ?? ""))
                return true
            }
            switch -socket {
            case EAGAIN: return false
            case EMFILE, ENFILE: return turnAwayWithoutRoom(listener, peer)
            case ENOBUFS, ENOMEM:
                pause()
                return false
            // A connection that has failed already: that of another client is next.
            default: return true
            }
        }
    }

    private func deal(_ arrival: LoopInbox.Arrival) {
        counters.accepted.add(1, ordering: .relaxed)
        guard counters.open.load(ordering: .relaxed) < acceptor?.maximum ?? 0 || makeRoom() else {
            turnAway(arrival)
            return
        }
        counters.open.add(1, ordering: .relaxed)
        let loop = (acceptor?.next ?? 0) % (acceptor?.inboxes.count ?? 1)
        acceptor?.next = loop + 1
        guard loop > 0, let inbox = acceptor?.inboxes[loop] else {
            adopt(arrival, isTurnedAway: false)
            return
        }
        if !inbox.post(arrival) {
            Foundation.close(arrival.socket)
            counters.open.subtract(1, ordering: .relaxed)
        }
    }

    func adopt(_ arrival: LoopInbox.Arrival, isTurnedAway: Bool) {
        let connection = connections.insert { id in
            Connection(
                socket: arrival.socket, id: id, peer: arrival.peer, isTurnedAway: isTurnedAway,
                limits: options.parsing, now: now)
        }
        guard larder_events_watch(queue, arrival.socket, connection.id) == 0 else {
            close(connection)
            return
        }
        connection.readDeadline = now + options.patience.head.wholeMilliseconds
        if isTurnedAway {
            connection.output.append(Self.fullHouse)
            connection.phase = .closing
            connection.writeDeadline = now + options.patience.lingering.wholeMilliseconds
        } else if stopDeadline != nil {
            close(connection)
            return
        } else {
            // Most clients have spoken already; if not, one read has been in vain.
            connection.mayRead = true
        }
        advance(connection)
    }

    private static let acceptedAtOnce = 64
}
