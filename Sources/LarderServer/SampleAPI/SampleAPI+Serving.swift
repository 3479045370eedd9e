package import Foundation

extension SampleAPI {
    /// Serves the API on loopback. Port 0 stands for any free one.
    ///
    /// ``Options/latency`` is spent on the connection's own thread, so requests do not wait for each other.
    ///
    /// - Parameters:
    ///   - now: The time, asked once a request.
    ///   - observe: Hears of each request once it is answered, on the server's threads and at times on several at once.
    package func serve(
        port: UInt16 = 0, now: @escaping @Sendable () -> Date = { Date() },
        observe: @escaping @Sendable (RequestRecord) -> Void = { _ in }
    ) throws(HTTPServerError) -> HTTPServer {
        let latency = options.latency.map { max($0 / .seconds(1), 0) } ?? 0
        return try HTTPServer(port: port, threads: .perConnection) { [self] request in
            if latency > 0 { Thread.sleep(forTimeInterval: latency) }
            let (response, record) = answerAndRecord(request, now: now())
            observe(record)
            return response
        }
    }
}
