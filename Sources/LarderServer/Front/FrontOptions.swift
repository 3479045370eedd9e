/// Where and how a ``HTTPFront`` serves.
package struct FrontOptions: Sendable, Hashable {
    /// An address of this machine, in digits: IPv4 or IPv6.
    package var address = "127.0.0.1"
    /// 0 stands for any free one.
    package var port: UInt16 = 0
    /// How many loops share the connections.
    package var threads = 1
    /// More are answered 503 and closed.
    package var maximumConnections = 4096
    package var parsing = ParsingLimits()
    package var patience = FrontPatience()
    /// In bytes: how much of an answer may wait for the client before ``FrontExchange/write(_:)`` does.
    package var outputLimit = 256 << 10
    /// In bytes: how much of a request's body may wait for the handler before no more is read.
    package var inputLimit = 256 << 10

    package init() {}
}

/// How long clients may take.
package struct FrontPatience: Sendable, Hashable {
    /// From a connection's beginning, or a request's first byte, to the end of its head.
    package var head = Duration.seconds(10)
    /// Between two requests.
    package var idle = Duration.seconds(75)
    /// How often a body is looked at, whether enough of it has come.
    package var body = Duration.seconds(20)
    /// What is enough, in bytes for each ``body``.
    package var bodyBytes = 2048
    /// Without the client taking anything of what waits for it.
    package var write = Duration.seconds(30)
    /// For a client that has ended its side and waits for an answer, while nothing goes out: it may have gone for good.
    package var halfClosed = Duration.seconds(60)
    /// For a client to see the last answer, after which its connection is closed whatever it still sends.
    package var lingering = Duration.seconds(2)
    /// Where all places are taken, connections that have waited for longer than this give theirs up.
    package var idleWhenCrowded = Duration.seconds(1)

    package init() {}
}
