import Foundation
import LarderKit
import LarderServer
import Synchronization

/// A recording of what a real server was asked and answered (format `recorded-exchanges/1`), and a server that plays it.
///
/// A request is answered by its method and target: the path as it is, the query in any order, which is a client's to
/// choose. What was recorded several times is answered in the order of the recording, and the last one from then on. Status, header
/// fields and every byte of the body are the recorded ones.
final class RecordedExchanges: Sendable {
    struct Exchange: Sendable {
        let method: String
        let target: String
        let answer: ServerResponse
    }

    let exchanges: [Exchange]
    private let answered = Mutex<[String: Int]>([:])

    /// The folder of the recordings, which are not the project's to publish.
    static var folder: URL? {
        ProcessInfo.processInfo.environment["LARDER_RECORDINGS"].map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    init(_ name: String, in folder: URL) throws {
        let data = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
        exchanges = try JSONDecoder().decode(Recording.self, from: data).exchanges.map { exchange in
            let headers = exchange.response.headers.map { HeaderFields.Field(name: $0[0], value: $0[1]) }
            return Exchange(
                method: exchange.request.method, target: Self.target(of: exchange.request.url),
                answer: ServerResponse(
                    status: exchange.response.status, headers: HeaderFields(headers),
                    body: Data(exchange.response.bodyText.utf8), addsDate: false))
        }
    }

    func serve() throws -> HTTPServer {
        try HTTPServer { [self] request in answer(request) }
    }

    private func answer(_ request: ServerRequest) -> ServerResponse {
        let key = Self.key(request.method, request.target)
        let matches = exchanges.filter { Self.key($0.method, $0.target) == key }
        guard let last = matches.last else { return .plain(status: 501, "not recorded: \(request.target)") }
        let turn = answered.withLock { answered in
            defer { answered[key, default: 0] += 1 }
            return answered[key, default: 0]
        }
        return turn < matches.count ? matches[turn].answer : last.answer
    }

    private static func key(_ method: String, _ target: String) -> String {
        let parts = target.split(separator: "?", maxSplits: 1)
        let query = parts.dropFirst().first.map { $0.split(separator: "&").sorted().joined(separator: "&") } ?? ""
        return "\(method) \(parts.first ?? "/")?\(query)"
    }

    private static func target(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    private struct Recording: Decodable {
        let exchanges: [Pair]

        struct Pair: Decodable {
            let request: Request
            let response: Response
        }

        struct Request: Decodable {
            let method: String
            let url: String
        }

        struct Response: Decodable {
            let status: Int
            let headers: [[String]]
            let bodyText: String
        }
    }
}
