/// An HTTP/1.1 server of our own: a strict parser, and loops that answer what is at hand without a task.
///
/// It serves from its creation until ``stop(within:)`` or the release of the last reference.
package final class HTTPFront: Sendable {
    package let port: UInt16
    /// `http://ADDRESS:PORT`, without a slash at the end.
    package var url: String {
        "http://\(options.address.contains(":") ? "[\(options.address)]" : options.address):\(port)"
    }
    private let options: FrontOptions
    private let loops: LoopGroup

    /// Starts to serve.
    package init(options: FrontOptions = FrontOptions(), handler: any FrontHandler) throws(HTTPFrontError) {
        self.options = options
        loops = try LoopGroup(options: options, handler: handler)
        port = loops.port
    }

    deinit {
        loops.stop(within: .zero)
    }

    /// Takes no more connections, closes those that wait, and returns when the exchanges under way have ended or the time
    /// is over, which cuts them and cancels their tasks. Later calls return when the first does.
    package func stop(within limit: Duration = .seconds(5)) async {
        loops.stop(within: limit)
        await loops.waitForEnd()
    }

    /// What has happened so far.
    package var counts: FrontCounts { loops.counters.snapshot }
}
