import Foundation
import LarderKit
import LarderServer
import Synchronization

/// A server on loopback that answers as it is told, and remembers what it was asked.
final class StubAPI: Sendable {
    private let answer = Mutex<@Sendable (ServerRequest) -> ServerResponse>({ _ in .json(Data("[]".utf8)) })
    private let asked = Mutex<[ServerRequest]>([])
    private let server: Mutex<HTTPServer?>
    let url: String
    private let port: UInt16

    init(_ answer: @escaping @Sendable (ServerRequest) -> ServerResponse) throws {
        let box = Box()
        let server = try HTTPServer { request in box.api?.respond(to: request) ?? .plain(status: 500, "") }
        url = server.url
        port = server.port
        self.server = Mutex(server)
        self.answer.withLock { $0 = answer }
        box.set(self)
    }

    /// The same JSON to everything.
    convenience init(json: String) throws {
        try self.init { _ in .json(Data(json.utf8)) }
    }

    func respond(with answer: @escaping @Sendable (ServerRequest) -> ServerResponse) {
        self.answer.withLock { $0 = answer }
    }

    func respond(json: String) {
        respond { _ in .json(Data(json.utf8)) }
    }

    var requests: [ServerRequest] { asked.withLock { $0 } }
    var targets: [String] { requests.map(\.target) }

    /// From now on connections are refused.
    func stop() {
        server.withLock { server in
            server?.stop()
            server = nil
        }
    }

    private func respond(to request: ServerRequest) -> ServerResponse {
        asked.withLock { $0.append(request) }
        return answer.withLock { $0 }(request)
    }

    /// The handler is made before the API is.
    private final class Box: Sendable {
        private struct Reference {
            weak var api: StubAPI?
        }

        private let reference = Mutex(Reference())

        var api: StubAPI? { reference.withLock { $0.api } }

        func set(_ api: StubAPI) { reference.withLock { $0.api = api } }
    }
}

extension ServerResponse {
    static func html(_ text: String) -> ServerResponse {
        ServerResponse(headers: ["Content-Type": "text/html"], body: Data(text.utf8))
    }
}
