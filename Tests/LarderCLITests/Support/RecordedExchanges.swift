import Foundation
import LarderKit
import LarderServer
import Synchronization

/// A recording of what a real server was asked and answered (format `recorded-exchanges/1`), and a server that plays it.
///
/// A request is answered by its method and target: the path as it is, the query in any order, which is a client's to
/// choose. What was recorded several times is answered in the order of the recording, and the last one from then on. Status, header
/// fields and every byte of the body are the recorded ones, but that links lead to this server in place of the recorded one.
final class RecordedExchanges: Sendable {
    struct Exchange: Sendable {
        let method: String
        let target: String
        let answer: ServerResponse
    }

    let exchanges: [Exchange]
    /// What is answered to a request that was not recorded: the list goes on no further than the recording.
    private let beyond: ServerResponse?
    private let answered = Mutex<[String: Int]>([:])

    /// The folder of the recordings, which are not the project's to publish.
    static var folder: URL? {
        ProcessInfo.processInfo.environment["LARDER_RECORDINGS"].map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// - Parameter beyond: The body of a page behind the last that was recorded; `nil` where none is to be asked for.
    init(_ name: String, in folder: URL, beyond: String? = nil) throws {
        self.beyond = beyond.map { .json(Data($0.utf8)) }
        let data = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
        exchanges = try JSONDecoder().decode(Recording.self, from: data).exchanges.map { exchange in
            // The recorded bodies are decoded already.
            let headers = exchange.response.headers.map { HeaderFields.Field(name: $0[0], value: $0[1]) }
                .filter { $0.name.lowercased() != "content-encoding" }
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
        guard let last = matches.last else { return notRecorded(request) }
        let turn = answered.withLock { answered in
            defer { answered[key, default: 0] += 1 }
            return answered[key, default: 0]
        }
        return Self.leadingHere(turn < matches.count ? matches[turn].answer : last.answer, request)
    }

    /// A link may leave out a parameter that the recorded client had put behind each of them.
    private func notRecorded(_ request: ServerRequest) -> ServerResponse {
        let asked = Set(request.query)
        let fuller = exchanges.first { exchange in
            let recorded = ServerRequest(target: exchange.target)
            return recorded.path == request.path && asked.count > 1 && asked.isSubset(of: Set(recorded.query))
        }
        if let fuller { return Self.leadingHere(fuller.answer, request) }
        return beyond ?? .plain(status: 501, "not recorded: \(request.target)")
    }

    /// The answer with its links to the recorded server leading to the one that was asked.
    private static func leadingHere(_ answer: ServerResponse, _ request: ServerRequest) -> ServerResponse {
        var answer = answer
        let here = "<http://\(request.headers["Host"] ?? "")/"
        answer.headers = HeaderFields(
            answer.headers.fields.map { field in
                guard field.name.lowercased() == "link" else { return field }
                return HeaderFields.Field(
                    name: field.name, value: field.value.replacing(/<https?:\/\/[^\/>]+\//, with: here))
            })
        return answer
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
