import Foundation
import LarderKit
import LarderServer
import Synchronization

/// The stage of `larder demo`: a server that can be stopped and started on one port, a cache, and what was asked.
///
/// The cache is used through the very code of `larder get` and `larder feed`.
///
/// State: `server` and `log`, each under its lock.
final class Demo: Sendable {
    let narrator: DemoNarrator
    let api: SampleAPI
    let larder: Larder
    let shops: Resource<Data>
    let timeline: Feed<Data>
    let url: String

    private let port: UInt16
    private let server: Mutex<HTTPServer?>
    private let log: ExchangeLog

    /// - Throws: ``Trouble`` and `HTTPServerError`, when there is no place for the cache or no port.
    init(folder: URL, narrator: DemoNarrator) throws {
        self.narrator = narrator
        api = SampleAPI(.init(posts: 120), start: Date())
        let server = try api.serve()
        port = server.port
        url = server.url
        self.server = Mutex(server)
        let log = ExchangeLog()
        self.log = log

        let shopsEndpoint = try Endpoint(url + "/shops")
        larder = try CacheFolder(folder.path).open(for: shopsEndpoint)
        let client = CurlClient()
        func origin(_ endpoint: Endpoint) throws -> Origin {
            Origin(
                endpoint: endpoint, headers: try RequestHeaders([]), timeout: .seconds(5), client: client,
                observe: log.append)
        }
        shops = DocumentSource(origin: try origin(shopsEndpoint)).resource(in: larder.common)
        timeline = FeedSource(origin: try origin(Endpoint(url + "/timeline")), paging: FeedPaging(.id)).feed(
            in: larder.common)
    }

    /// What was asked so far, as the client saw it.
    var exchanges: [Origin.Exchange] { log.all }

    func stopServer() {
        server.withLock { server in
            server?.stop()
            server = nil
        }
    }

    /// On the port it had.
    func restartServer() throws(HTTPServerError) {
        let started = try api.serve(port: port)
        server.withLock { $0 = started }
    }

    func end() {
        stopServer()
        larder.close()
    }
}

/// State: `exchanges`, under its lock.
private final class ExchangeLog: Sendable {
    private let exchanges = Mutex<[Origin.Exchange]>([])

    var all: [Origin.Exchange] { exchanges.withLock { $0 } }

    @Sendable func append(_ exchange: Origin.Exchange) {
        exchanges.withLock { $0.append(exchange) }
    }
}
