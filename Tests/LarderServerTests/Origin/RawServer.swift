import Foundation
import Synchronization

/// A server on loopback that sends exactly the bytes it is told to. Each connection has a thread of its own,
/// which runs the script.
final class RawServer: Sendable {
    typealias Script = @Sendable (RawConnection) -> Void

    let port: UInt16
    var url: String { "http://127.0.0.1:\(port)" }

    private let listener: Int32
    private let state = Mutex((connections: 0, heads: [String]()))

    /// The heads of all requests so far, in the order they came.
    var heads: [String] { state.withLock { $0.heads } }
    var connections: Int { state.withLock { $0.connections } }

    init(_ script: @escaping Script) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard listener >= 0, isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0, let self else { break }
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                self.state.withLock { $0.connections += 1 }
                let connection = RawConnection(socket) { [weak self] head in
                    self?.state.withLock { $0.heads.append(head) }
                }
                Thread.detachNewThread {
                    script(connection)
                    connection.close()
                }
            }
            close(listener)
        }
    }

    /// To every request the same answer, on connections that stay.
    convenience init(answering answer: String) throws {
        try self.init { connection in
            while connection.readHead() != nil { connection.send(answer) }
        }
    }

    /// To every request the same bytes, and then the end of the connection.
    convenience init(answeringOnce answer: String) throws {
        try self.init { connection in
            guard connection.readHead() != nil else { return }
            connection.send(answer)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

/// One connection of a ``RawServer``, used by the thread of its script.
final class RawConnection: @unchecked Sendable {
    private let socket: Int32
    private let onHead: (String) -> Void
    private var buffer: [UInt8] = []
    private var isOpen = true

    init(_ socket: Int32, onHead: @escaping (String) -> Void) {
        self.socket = socket
        self.onHead = onHead
        #if !canImport(Glibc)
            var on: Int32 = 1
            setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    /// The next request's head with its empty line, one character a byte; `nil` when the client has closed.
    func readHead() -> String? {
        while true {
            if let end = end(of: [0x0D, 0x0A, 0x0D, 0x0A]) {
                let head = String(String.UnicodeScalarView(buffer[..<end].map { Unicode.Scalar($0) }))
                buffer.removeFirst(end)
                onHead(head)
                return head
            }
            guard receive() else { return nil }
        }
    }

    /// The next bytes of the request's body, or fewer when the client has closed.
    func read(_ count: Int) -> [UInt8] {
        while buffer.count < count, receive() {}
        let part = Array(buffer.prefix(count))
        buffer.removeFirst(part.count)
        return part
    }

    /// What comes until `end` has come, or the client has closed.
    func read(through end: String) -> [UInt8] {
        while true {
            if let position = self.end(of: Array(end.utf8)) { return read(position) }
            guard receive() else { return read(buffer.count) }
        }
    }

    /// Returns when the client has closed or reset the connection.
    func waitForClose() {
        while receive() { buffer = [] }
    }

    /// Sends one byte a character. `false` when the client has gone.
    @discardableResult
    func send(_ text: String) -> Bool {
        send(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            #if canImport(Glibc)
                let flags = Int32(MSG_NOSIGNAL)
            #else
                let flags: Int32 = 0
            #endif
            let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Whether the client has room for more within `milliseconds`.
    func isWritable(within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
        return Foundation.poll(&poll, 1, milliseconds) > 0
    }

    func close() {
        guard isOpen else { return }
        // For all who have it: a program that another test has just started may have got a copy.
        shutdown(socket, Int32(SHUT_RDWR))
        drop()
    }

    private func drop() {
        guard isOpen else { return }
        isOpen = false
        Foundation.close(socket)
    }

    /// Closes so that the client is told of an error.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        drop()
    }

    private func receive() -> Bool {
        guard isOpen else { return false }
        var part = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &part, part.count, 0)
        guard count > 0 else { return false }
        buffer += part[..<count]
        return true
    }

    private func end(of mark: [UInt8]) -> Int? {
        guard buffer.count >= mark.count else { return nil }
        return (0...buffer.count - mark.count).first { buffer[$0..<$0 + mark.count].elementsEqual(mark) }
            .map { $0 + mark.count }
    }
}
