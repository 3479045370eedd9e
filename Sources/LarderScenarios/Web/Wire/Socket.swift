import Foundation

/// A TCP connection whose calls wait, or what takes them in. Closed with its last holder.
final class Socket: @unchecked Sendable {
    // Unchecked: the descriptor never changes, and the system's calls may come from any thread.
    private let descriptor: Int32

    private static let none = Int32(-1)
    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let quiet = Int32(MSG_NOSIGNAL)
    #else
        private static let stream = SOCK_STREAM
        private static let quiet: Int32 = 0
    #endif

    private init(_ descriptor: Int32) throws(CaseFailure) {
        guard descriptor >= 0 else { throw CaseFailure("no socket can be had") }
        self.descriptor = descriptor
        #if !canImport(Glibc)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { Foundation.close(descriptor) }

    /// One that listens on a port of loopback.
    static func listening(on port: UInt16) throws(CaseFailure) -> Socket {
        let socket = try Socket(Foundation.socket(AF_INET, stream, 0))
        _ = try socket.bind(to: "127.0.0.1", port)
        guard listen(socket.descriptor, 64) == 0 else { throw CaseFailure("no socket can listen") }
        return socket
    }

    /// A free port of loopback on which nobody listens, and that nobody else takes as long as the socket is held.
    static func reserved() throws(CaseFailure) -> (socket: Socket, port: UInt16) {
        let socket = try Socket(Foundation.socket(AF_INET, stream, 0))
        return (socket, try socket.bind(to: "127.0.0.1"))
    }

    /// A connection to a port of loopback, from an address of its own.
    static func connected(to port: UInt16, from address: String) throws(CaseFailure) -> Socket {
        let socket = try Socket(Foundation.socket(AF_INET, stream, 0))
        _ = try socket.bind(to: address)
        // Only against a program that hangs: nothing here takes so long.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var target = Self.address("127.0.0.1", port)
        let isConnected = Self.withAddress(&target) { connect(socket.descriptor, $0, $1) == 0 }
        guard isConnected else { throw CaseFailure("the proxy does not take connections") }
        return socket
    }

    private static func address(_ text: String, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, text, &address.sin_addr)
        return address
    }

    private static func withAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// - Returns: The port.
    private func bind(to text: String, _ port: UInt16 = 0) throws(CaseFailure) -> UInt16 {
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = Self.address(text, port)
        let isBound = Self.withAddress(&address) { pointer, size in
            var size = size
            return Foundation.bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
        }
        guard isBound else { throw CaseFailure("the address \(text) cannot be had") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The next connection; `nil` once ``shutDown()`` was called.
    func accept() -> Socket? {
        let descriptor = Foundation.accept(descriptor, nil, nil)
        return descriptor >= 0 ? try? Socket(descriptor) : nil
    }

    /// Whoever waits here does so no longer.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// No more is sent, and the other side sees that.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closing tells the other side of an error.
    func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// `false` when the other side has gone.
    @discardableResult
    func send(_ data: Data) -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Self.quiet) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// What has come; `nil` when no more comes, and also after an error: what is missing tells.
    func receive() -> Data? {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &part, part.count, 0)
        return count > 0 ? Data(part[..<count]) : nil
    }
}
