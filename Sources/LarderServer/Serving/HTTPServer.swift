import CMicroHTTPD
import Foundation
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1, and on no other address, over libmicrohttpd.
///
/// It serves from its creation until ``stop()`` or the release of the last reference. The handler runs on the server's
/// own threads, and its answer is sent from there without a hop.
package final class HTTPServer: Sendable {
    package typealias Handler = @Sendable (ServerRequest) -> ServerResponse

    /// Which threads call the handler.
    package enum Threads: Sendable {
        /// One thread for all connections: the fastest for handlers that never wait. One that waits holds up everyone.
        case one
        /// One thread a connection: handlers may wait for each other.
        case perConnection
    }

    package let port: UInt16
    /// `http://127.0.0.1:PORT`, without a slash at the end: a request target can be put behind it.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// The daemon while it runs. The lock is held while it stops, so that every caller of ``stop()`` returns after that.
    private let daemon: Mutex<OpaquePointer?>
    /// What the daemon's callbacks work with. It outlives the daemon, which holds an unretained pointer to it.
    private let context: HandlerContext

    /// Starts to serve. Port 0 stands for any free one.
    ///
    /// - Throws: ``HTTPServerError``, when the port is taken or may not be used, or libmicrohttpd is not there.
    package init(
        port: UInt16 = 0, threads: Threads = .perConnection, handler: @escaping Handler
    ) throws(HTTPServerError) {
        if case .failure(let missing) = SystemLibraries.microHTTPD { throw HTTPServerError(port: port, missing) }
        let context = HandlerContext(handler)
        var code: Int32 = 0
        let started = larder_mhd_start(
            port, threads == .perConnection, Self.connectionMemory, Self.idleSeconds,
            answerRequest, beginRequest, endRequest, Unmanaged.passUnretained(context).toOpaque(), &code)
        guard let started else { throw HTTPServerError(port: port, code: code) }
        self.context = context
        self.port = larder_mhd_port(started)
        daemon = Mutex(started)
    }

    deinit {
        guard context.isHandlingHere else { return stop() }
        // The last reference was let go by a handler, whose own thread the daemon would wait for.
        guard let running = daemon.withLock({ $0.take() }) else { return }
        let address = UInt(bitPattern: running)
        Thread.detachNewThread { [context] in
            larder_mhd_stop(OpaquePointer(bitPattern: address))
            withExtendedLifetime(context) {}
        }
    }

    /// Closes the port and every connection, and returns when no handler runs any more. Later calls do nothing.
    ///
    /// Never call it from a handler: it would wait for itself.
    package func stop() {
        daemon.withLock { daemon in
            guard let running = daemon.take() else { return }
            larder_mhd_stop(running)
        }
    }

    /// The head of a request and that of an answer must each fit; above it the client gets 431, or no answer at all.
    private static let connectionMemory = 256 * 1024
    private static let idleSeconds: UInt32 = 120
}

/// What the callbacks need of a server.
final class HandlerContext: Sendable {
    let handler: HTTPServer.Handler

    /// The threads that are in the handler.
    private let threads = Mutex<Set<ObjectIdentifier>>([])

    init(_ handler: @escaping HTTPServer.Handler) {
        self.handler = handler
    }

    func handle(_ request: ServerRequest) -> ServerResponse {
        let thread = Thread.current
        threads.withLock { _ = $0.insert(ObjectIdentifier(thread)) }
        defer { threads.withLock { _ = $0.remove(ObjectIdentifier(thread)) } }
        return handler(request)
    }

    /// Whether it is a handler who asks.
    var isHandlingHere: Bool { threads.withLock { $0.contains(ObjectIdentifier(Thread.current)) } }
}
