import CEvents
import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

extension EventLoop {
    // MARK: Putting together

    /// - Returns: How many bytes of the body are sent.
    func queue(
        _ answer: FrontAnswer, to connection: Connection, isHead: Bool, keepsAlive: Bool, minorVersion: Int
    ) -> Int {
        let sendsBody = !isHead && !answer.head.isWithoutBody
        let length: Int? =
            if sendsBody {
                answer.body.count
            } else if answer.head.status == 304 {
                answer.head.announcedLength
            } else {
                isHead && !answer.head.isWithoutBody ? answer.head.announcedLength ?? answer.body.count : nil
            }
        queue(answer.head, to: connection, length: length, keepsAlive: keepsAlive, minorVersion: minorVersion) {
            $0.append(answer.extraFields)
        }
        guard sendsBody else { return 0 }
        connection.output.append(answer.body)
        return answer.body.count
    }

    /// The head and the blank line.
    private func queue(
        _ head: FrontHead, to connection: Connection, length: Int?, keepsAlive: Bool, minorVersion: Int,
        extra: (inout OutputQueue) -> Void
    ) {
        connection.output.append(head.bytes)
        extra(&connection.output)
        if !head.hasDate { connection.output.append(dateLine.line()) }
        if let length {
            connection.output.append("Content-Length: ")
            connection.output.append(number: length)
            connection.output.append("\r\n")
        }
        if !keepsAlive {
            connection.output.append("Connection: close\r\n")
        } else if minorVersion == 0 {
            connection.output.append("Connection: keep-alive\r\n")
        }
        connection.output.append("\r\n")
    }

    func sendHead(_ head: FrontHead, length: Int?, _ exchange: ActiveExchange, _ connection: Connection) {
        let isWithoutBody = exchange.isHead || head.isWithoutBody
        exchange.status = head.status
        exchange.keepsAlive = exchange.keepsAlive && stopDeadline == nil && !exchange.leavesTooMuch
        let end: ActiveExchange.BodyEnd =
            if isWithoutBody {
                .absent
            } else if let length {
                .length(left: length)
            } else {
                exchange.request.minorVersion > 0 ? .chunked : .connection
            }
        if case .connection = end { exchange.keepsAlive = false }
        exchange.bodyEnd = end
        let saysLength = head.status >= 200 && head.status != 204
        queue(
            head, to: connection, length: saysLength ? length : nil, keepsAlive: exchange.keepsAlive,
            minorVersion: exchange.request.minorVersion
        ) {
            if case .chunked = end { $0.append("Transfer-Encoding: chunked\r\n") }
        }
    }

    func sendBody(_ data: Data, _ exchange: ActiveExchange, _ connection: Connection) {
        switch exchange.bodyEnd {
        // Said before its head, or more than its length: a mistake of the handler, which must not look like an answer.
        case nil: return cut(exchange, connection)
        case .length(let left)? where data.count > left: return cut(exchange, connection)
        case .absent?:
            exchange.mailbox.didSend(data.count)
            return
        case .length(let left)?:
            exchange.bodyEnd = .length(left: left - data.count)
            connection.output.append(data)
        case .chunked?:
            connection.output.append(number: data.count, hexadecimal: true)
            connection.output.append("\r\n")
            connection.output.append(data)
            connection.output.append("\r\n")
        case .connection?: connection.output.append(data)
        }
        exchange.bodyBytes += data.count
        exchange.unacknowledged += data.count
    }

    // MARK: Sending

    /// Sends what can be sent. `false` when the connection is closed.
    func flush(_ connection: Connection) -> Bool {
        while !connection.output.isEmpty, connection.mayWrite {
            let sent = connection.output.send(to: connection.socket)
            if sent >= 0 {
                connection.sentBytes += sent
                connection.writeDeadline = now + options.patience.write.wholeMilliseconds
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
        if connection.closesHard { larder_close_hard(connection.socket) } else { Foundation.close(connection.socket) }
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
