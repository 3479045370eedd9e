import Foundation
import LarderHTTPCache
import LarderKit

extension EventLoop {
    /// Has a task answer it.
    func begin(_ request: FrontRequest, start: ContinuousClock.Instant, on connection: Connection) {
        let mailbox = ExchangeMailbox(connection: connection.id, inbox: inbox, limit: options.outputLimit)
        var body: HTTPRequestBody?
        if request.framing != .none {
            let pipe = BodyPipe(
                limit: options.inputLimit, onRoom: { mailbox.post(.bodyHasRoom) },
                onAbandon: { mailbox.post(.bodyIsAbandoned) })
            let length: Int? = if case .length(let length) = request.framing { length } else { nil }
            body = HTTPRequestBody(length: length, pipe: pipe)
        }
        let active = ActiveExchange(request: request, mailbox: mailbox, body: body?.pipe, start: start)
        connection.phase = .exchanging(active)
        if !active.isBodyWhole, !active.isContinueDue { beginBodyWindow(active, connection) }
        awaitTaking(connection)
        let exchange = FrontExchange(mailbox: mailbox, body: body)
        active.task = Task { [handler] in
            await handler.answer(request, over: exchange)
            mailbox.post(.handlerReturned)
        }
    }

    func beginBodyWindow(_ exchange: ActiveExchange, _ connection: Connection) {
        exchange.recentBodyBytes = 0
        connection.readDeadline = now + options.patience.body.wholeMilliseconds
    }

    /// Does what a task has said.
    func obey(_ mailbox: ExchangeMailbox) {
        guard let connection = connections[mailbox.connection], let exchange = connection.exchange,
            exchange.mailbox === mailbox
        else { return }
        for order in mailbox.takeOrders() {
            // An order may have ended it.
            guard connection.exchange === exchange else { break }
            obey(order, exchange, connection)
        }
        advance(connection)
    }

    private func obey(_ order: ExchangeMailbox.Order, _ exchange: ActiveExchange, _ connection: Connection) {
        switch order {
        case .interim(let head): sendInterim(head, exchange, connection)
        case .begin(let head, let length):
            if exchange.bodyEnd == nil { sendHead(head, length: length, exchange, connection) }
        case .data(let data): sendBody(data, exchange, connection)
        case .end: end(exchange, connection)
        case .abort: cut(exchange, connection)
        case .whole(let answer): sendWhole(answer, exchange, connection)
        case .handlerReturned:
            guard exchange.bodyEnd == nil else { return cut(exchange, connection) }
            sendWhole(FrontAnswer(HTTPResponseHead(status: 500)), exchange, connection)
        case .wantsBody:
            exchange.isBodyWanted = true
            guard exchange.isContinueDue, exchange.bodyEnd == nil else { return }
            exchange.isContinueDue = false
            connection.output.append("HTTP/1.1 100 Continue\r\n\r\n")
            beginBodyWindow(exchange, connection)
        case .bodyHasRoom:
            exchange.isBodyPaused = false
            connection.needsMore = false
            if !exchange.isBodyWhole { beginBodyWindow(exchange, connection) }
        case .bodyIsAbandoned:
            exchange.isBodyAbandoned = true
            exchange.isBodyPaused = false
            connection.needsMore = false
        }
    }

    private func sendInterim(_ head: FrontHead, _ exchange: ActiveExchange, _ connection: Connection) {
        guard exchange.bodyEnd == nil, exchange.request.minorVersion > 0, (100..<200).contains(head.status),
            head.status != 101
        else { return }
        if head.status == 100 { exchange.isContinueDue = false }
        connection.output.append(head.bytes)
        connection.output.append("\r\n")
    }

    private func sendWhole(_ answer: FrontAnswer, _ exchange: ActiveExchange, _ connection: Connection) {
        guard exchange.bodyEnd == nil else { return cut(exchange, connection) }
        exchange.keepsAlive = exchange.keepsAlive && stopDeadline == nil && !exchange.leavesTooMuch
        exchange.bodyEnd = .absent
        exchange.status = answer.head.status
        exchange.bodyBytes = queue(
            answer, to: connection, isHead: exchange.isHead, keepsAlive: exchange.keepsAlive,
            minorVersion: exchange.request.minorVersion)
        end(exchange, connection)
    }

    // MARK: The end of an exchange

    private func end(_ exchange: ActiveExchange, _ connection: Connection) {
        switch exchange.bodyEnd {
        case nil:
            return sendWhole(FrontAnswer(HTTPResponseHead(status: 500)), exchange, connection)
        case .length(let left)? where left > 0: return cut(exchange, connection)
        case .chunked: connection.output.append("0\r\n\r\n")
        case .absent, .length, .connection: break
        }
        leave(exchange, connection, isWhole: true)
        if !exchange.keepsAlive || exchange.passedOver > ActiveExchange.drained {
            connection.phase = .closing
        } else if exchange.isBodyWhole {
            wait(connection)
        } else {
            connection.phase = .draining(left: ActiveExchange.drained - exchange.passedOver)
            connection.readDeadline = now + options.patience.body.wholeMilliseconds
            connection.needsMore = false
        }
    }

    /// The client is to see that the answer is not whole.
    func cut(_ exchange: ActiveExchange, _ connection: Connection) {
        if case .connection = exchange.bodyEnd { connection.closesHard = true }
        leave(exchange, connection, isWhole: false)
        connection.phase = .closing
    }

    /// The task has nothing more to do with the connection.
    func leave(
        _ exchange: ActiveExchange, _ connection: Connection, isWhole: Bool, refusal: FrontRefusal? = nil
    ) {
        connection.readDeadline = .max
        exchange.mailbox.close()
        if !exchange.isBodyWhole {
            exchange.body?.fail(FetchFailure(.other, "the rest of the client's body was not read"))
        }
        connection.note(
            EndedAnswer(
                request: exchange.request, status: exchange.status, bodyBytes: exchange.bodyBytes,
                start: exchange.start,
                refusal: refusal, note: exchange.mailbox.note, isWhole: isWhole))
    }
}
