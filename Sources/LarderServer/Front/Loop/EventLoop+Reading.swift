import CEvents
import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

extension EventLoop {
    /// Does all that can be done for a connection without waiting: takes what has come, answers, sends.
    func advance(_ connection: Connection) {
        var turns = 0
        while true {
            takeInput(connection)
            guard flush(connection) else { return }
            if case .lingering = connection.phase {
                passOver(connection)
                return
            }
            guard takesInput(connection) else { return }
            // What has come already may go on, now that there is room.
            if !connection.needsMore { continue }
            guard connection.mayRead else { return }
            turns += 1
            guard turns <= Self.readsAtOnce else {
                ready.append(connection.id)
                return
            }
            guard receive(connection) else { return }
        }
    }

    private static let readsAtOnce = 16

    /// Whether more input would lead anywhere just now.
    private func takesInput(_ connection: Connection) -> Bool {
        switch connection.phase {
        case .waiting: connection.output.count < options.outputLimit
        case .exchanging(let exchange): !exchange.isBodyWhole && !exchange.isBodyPaused
        case .draining: true
        case .closing, .lingering: false
        }
    }

    /// Reads once, and takes it. `false` when the connection is closed.
    private func receive(_ connection: Connection) -> Bool {
        let count = larder_receive(connection.socket, scratch.baseAddress, scratch.count)
        if count > 0 {
            // A socket that gave less than it could has no more.
            if count < scratch.count, !connection.hasEnded { connection.mayRead = false }
            let bytes = UnsafeRawBufferPointer(rebasing: scratch[..<count])
            if connection.input.isEmpty {
                let taken = take(bytes, from: connection)
                if taken < count { connection.input.append(contentsOf: bytes[taken...]) }
            } else {
                connection.input.append(contentsOf: bytes)
                connection.needsMore = false
            }
            return true
        }
        connection.mayRead = false
        if count == -Int(EAGAIN) { return true }
        if count == 0 { return takeEnd(connection) }
        close(connection)
        return false
    }

    private func takeInput(_ connection: Connection) {
        guard !connection.needsMore, takesInput(connection) else { return }
        let input = connection.input
        connection.input = []
        let taken = input.withUnsafeBytes { take($0, from: connection) }
        if taken < input.count { connection.input = taken == 0 ? input : Array(input[taken...]) }
    }

    /// - Returns: How many of the bytes are done with.
    private func take(_ bytes: UnsafeRawBufferPointer, from connection: Connection) -> Int {
        var position = 0
        var body = Data()
        connection.needsMore = false
        do throws(FrontRefusal) {
            loop: while takesInput(connection) {
                switch try connection.parser.next(in: bytes, at: &position) {
                case .needsMore:
                    connection.needsMore = true
                    break loop
                case .head(let head): take(head, from: connection)
                case .data(let place): body.append(contentsOf: bytes[place])
                case .end:
                    take(body, from: connection)
                    body = Data()
                    endBody(connection)
                }
            }
            take(body, from: connection)
        } catch {
            take(body, from: connection)
            refuse(connection, error)
            return bytes.count
        }
        noteHead(connection)
        return position
    }

    /// A request that has begun is to be complete in time.
    private func noteHead(_ connection: Connection) {
        guard case .waiting = connection.phase, connection.parser.isInsideHead, !connection.isInsideHead else { return }
        connection.isInsideHead = true
        connection.readDeadline = min(connection.readDeadline, now + options.patience.head.wholeMilliseconds)
    }

    // MARK: The client's end

    /// The client sends nothing after what has come.
    func noteEnd(_ connection: Connection) {
        guard !connection.hasEnded else { return }
        connection.hasEnded = true
        awaitTaking(connection)
    }

    /// Gives a client that has ended its side, and from which nothing more is due, time to take some of its answer.
    func awaitTaking(_ connection: Connection) {
        guard connection.hasEnded, let exchange = connection.exchange, exchange.isBodyWhole else { return }
        connection.readDeadline = now + options.patience.halfClosed.wholeMilliseconds
    }

    /// `false` when the connection is closed.
    private func takeEnd(_ connection: Connection) -> Bool {
        connection.hasEnded = true
        if case .waiting = connection.phase, !connection.output.isEmpty {
            connection.phase = .closing
            return true
        }
        close(connection)
        return false
    }

    /// Takes what a client still sends, to no purpose but that it sees its answer.
    private func passOver(_ connection: Connection) {
        for _ in 0..<Self.readsAtOnce where connection.mayRead {
            let count = larder_receive(connection.socket, scratch.baseAddress, scratch.count)
            if count > 0 { continue }
            connection.mayRead = false
            guard count == -Int(EAGAIN) else {
                close(connection)
                return
            }
        }
        if connection.mayRead { ready.append(connection.id) }
    }
}
