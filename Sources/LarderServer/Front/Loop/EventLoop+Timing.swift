import Synchronization

extension EventLoop {
    /// How often deadlines are looked at, in milliseconds: often enough for the shortest of them.
    var tick: UInt64 {
        let patience = options.patience
        let limits = [
            patience.head, patience.idle, patience.body, patience.write, patience.halfClosed, patience.lingering,
        ]
        return min(max((limits.map(\.wholeMilliseconds).min() ?? 0) / 4, 5), 500)
    }

    var idleLimit: UInt64 { options.patience.idle.wholeMilliseconds }

    /// Ends what has taken too long.
    func sweep() {
        endPause()
        for connection in connections.all {
            if now >= connection.writeDeadline {
                counters.timedOut.add(1, ordering: .relaxed)
                close(connection)
            } else if now >= connection.readDeadline {
                endPatience(connection)
            } else if case .waiting = connection.phase, now > connection.waitingSince + Self.busy {
                connection.output.shrink()
            }
        }
    }

    /// For how long the buffers of a connection are kept for its next request, in milliseconds.
    private static let busy: UInt64 = 1000

    private func endPatience(_ connection: Connection) {
        switch connection.phase {
        case .waiting:
            counters.timedOut.add(1, ordering: .relaxed)
            guard connection.isInsideHead else { return close(connection) }
            refuse(connection, FrontRefusal(408, "the request did not come in time"))
        case .exchanging(let exchange):
            if exchange.isBodyWhole || exchange.isBodyPaused {
                // It has ended its side, and seems to have gone.
                close(connection)
                return
            }
            if exchange.recentBodyBytes >= options.patience.bodyBytes {
                beginBodyWindow(exchange, connection)
                return
            }
            counters.timedOut.add(1, ordering: .relaxed)
            refuse(connection, FrontRefusal(408, "the body did not come in time"))
        case .draining: connection.phase = .closing
        case .closing, .lingering:
            close(connection)
            return
        }
        advance(connection)
    }
}
