import Foundation
import LarderHTTPCache

extension EventLoop {
    func take(_ body: Data, from connection: Connection) {
        guard !body.isEmpty else { return }
        switch connection.phase {
        case .exchanging(let exchange):
            exchange.recentBodyBytes += body.count
            exchange.isContinueDue = false
            guard !exchange.isBodyAbandoned else {
                passOver(body.count, of: exchange, on: connection)
                return
            }
            switch exchange.body?.offer(body) {
            case .full:
                exchange.isBodyPaused = true
                connection.readDeadline = .max
            case .abandoned: exchange.isBodyAbandoned = true
            case .goOn, nil: break
            }
        case .draining(let left):
            connection.phase = body.count <= left ? .draining(left: left - body.count) : .closing
        case .waiting, .closing, .lingering: break
        }
    }

    /// A body nobody wants is read while there is an answer to come, so that the client gets to see it, but not at length.
    private func passOver(_ count: Int, of exchange: ActiveExchange, on connection: Connection) {
        exchange.passedOver += count
        guard exchange.passedOver > ActiveExchange.drained else { return }
        exchange.isBodyPaused = true
        connection.readDeadline = .max
    }

    func endBody(_ connection: Connection) {
        switch connection.phase {
        case .exchanging(let exchange):
            exchange.isBodyWhole = true
            connection.readDeadline = .max
            awaitTaking(connection)
            exchange.body?.finish()
        case .draining: wait(connection)
        case .waiting, .closing, .lingering: break
        }
    }
}
