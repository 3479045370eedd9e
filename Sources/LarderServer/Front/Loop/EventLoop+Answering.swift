import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

extension EventLoop {
    /// A request's head is complete.
    func take(_ head: RequestHead, from connection: Connection) {
        counters.requests.add(1, ordering: .relaxed)
        connection.isInsideHead = false
        connection.readDeadline = .max
        let request = FrontRequest(head: head, peer: connection.peer)
        let start = ContinuousClock.now
        guard head.framing == .none, let answer = handler.answerAtOnce(request) else {
            begin(request, start: start, on: connection)
            return
        }
        let keepsAlive = head.keepsAlive && stopDeadline == nil
        let isHead = KnownField.isExactly(head.bytes[head.method], "HEAD")
        let sent = queue(
            answer, to: connection, isHead: isHead, keepsAlive: keepsAlive, minorVersion: head.minorVersion)
        connection.note(
            EndedAnswer(
                request: request, status: answer.head.status, bodyBytes: sent, start: start, refusal: nil,
                note: answer.note, isWhole: true))
        if keepsAlive { wait(connection) } else { connection.phase = .closing }
    }

    /// Nothing is under way: the next request may come.
    func wait(_ connection: Connection) {
        guard stopDeadline == nil else {
            connection.phase = .closing
            return
        }
        connection.phase = .waiting
        connection.isInsideHead = false
        connection.waitingSince = now
        connection.readDeadline = now + idleLimit
    }

    /// Says why, once, and takes nothing more from this client.
    func refuse(_ connection: Connection, _ refusal: FrontRefusal) {
        counters.refused.add(1, ordering: .relaxed)
        let text = Data("\(refusal.reason)\n".utf8)
        let head = HTTPResponseHead(
            status: refusal.status, headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
        connection.input = []
        switch connection.phase {
        case .exchanging(let exchange):
            exchange.body?.fail(FetchFailure(.other, "the client's body is malformed or late: \(refusal.reason)"))
            exchange.isBodyWhole = true
            exchange.task?.cancel()
            guard exchange.bodyEnd == nil else { return cut(exchange, connection) }
            exchange.keepsAlive = false
            exchange.bodyEnd = .absent
            exchange.status = refusal.status
            exchange.bodyBytes = queue(
                FrontAnswer(head, body: text), to: connection, isHead: exchange.isHead, keepsAlive: false,
                minorVersion: exchange.request.minorVersion)
            leave(exchange, connection, isWhole: true, refusal: refusal)
        case .waiting:
            _ = queue(FrontAnswer(head, body: text), to: connection, isHead: false, keepsAlive: false, minorVersion: 1)
            connection.note(
                EndedAnswer(
                    request: nil, status: refusal.status, bodyBytes: text.count, start: .now, refusal: refusal,
                    isWhole: true))
        case .draining, .closing, .lingering: break
        }
        connection.phase = .closing
    }
}
