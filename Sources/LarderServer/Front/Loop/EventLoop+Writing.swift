import Foundation
import LarderHTTPCache
import LarderKit

extension EventLoop {
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
}
