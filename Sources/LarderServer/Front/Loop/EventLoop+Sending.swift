import CEvents
import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

extension EventLoop {
    /// Sends what can be sent. `false` when the connection is closed.
    func flush(_ connection: Connection) -> Bool {
        while !connection.output.isEmpty, connection.mayWrite {
            let sent = connection.output.send(to: connection.socket)
            if sent >= 0 {
                connection.sentBytes += sent
                connection.writeDeadline = now + options.patience.write.wholeMilliseconds
                // Whoever takes its answer has not gone.
                awaitTaking(connection)
            } else if sent == -Int(EAGAIN) {
                connection.mayWrite = false
            } else {
                close(connection)
                return false
            }
        }
        if connection.output.isEmpty {
            connection.writeDeadline = .max
        } else if connection.writeDeadline == .max {
            connection.writeDeadline = now + options.patience.write.wholeMilliseconds
        }
        acknowledge(connection)
        for (record, at) in connection.takeSent() { tell(record, connection, isSent: at <= connection.sentBytes) }
        guard case .closing = connection.phase, connection.output.isEmpty else { return true }
        return linger(connection)
    }

    private func acknowledge(_ connection: Connection) {
        guard let exchange = connection.exchange, exchange.unacknowledged > connection.output.count else { return }
        let sent = exchange.unacknowledged - connection.output.count
        exchange.unacknowledged -= sent
        exchange.mailbox.didSend(sent)
    }

    private func linger(_ connection: Connection) -> Bool {
        guard !connection.closesHard else {
            close(connection)
            return false
        }
        shutdown(connection.socket, Int32(SHUT_WR))
        connection.phase = .lingering
        connection.input = []
        connection.output.shrink()
        // What is left unread when a socket is closed destroys what was sent.
        connection.mayRead = true
        let patience = options.patience.lingering.wholeMilliseconds
        connection.readDeadline = now + (stopDeadline == nil ? patience : min(patience, Self.lastLingering))
        return true
    }

    /// For the last clients of a front that stops, in milliseconds.
    private static let lastLingering: UInt64 = 200

    // MARK: The end of a connection

    /// Closes at once, and tells everyone who has to do with it.
    func close(_ connection: Connection) {
        guard connections[connection.id] != nil else { return }
        connections.remove(connection)
        if connection.owesMore { larder_close_hard(connection.socket) } else { Foundation.close(connection.socket) }
        if connection.isTurnedAway {
            acceptor?.turnedAway -= 1
        } else {
            counters.open.subtract(1, ordering: .relaxed)
        }
        if let exchange = connection.exchange {
            exchange.body?.fail(FetchFailure(.other, "the client is gone"))
            leave(exchange, connection, isWhole: false)
            exchange.task?.cancel()
        }
        connection.phase = .lingering
        for (record, at) in connection.unsent { tell(record, connection, isSent: at <= connection.sentBytes) }
        connection.unsent = []
    }

    private func tell(_ answer: EndedAnswer, _ connection: Connection, isSent: Bool) {
        handler.didEnd(
            FrontRecord(
                request: answer.request, peer: connection.peer, status: answer.status, bodyBytes: answer.bodyBytes,
                isComplete: answer.isWhole && isSent, duration: answer.start.duration(to: .now),
                note: answer.note, refusal: answer.refusal))
    }
}

extension Connection {
    /// An orderly end would make what was sent of an answer look like all of it.
    fileprivate var owesMore: Bool {
        if closesHard || !output.isEmpty { return true }
        return if case .connection = exchange?.bodyEnd { true } else { false }
    }

    /// An answer is wholly queued.
    func note(_ answer: EndedAnswer) { unsent.append((answer, sentBytes + output.count)) }

    /// The answers of which nothing is left to send.
    func takeSent() -> [(record: EndedAnswer, at: Int)] {
        guard let first = unsent.first, first.at <= sentBytes else { return [] }
        let count = unsent.prefix { $0.at <= sentBytes }.count
        defer { unsent.removeFirst(count) }
        return Array(unsent[..<count])
    }
}
