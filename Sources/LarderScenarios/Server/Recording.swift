import Foundation
import LarderKit

/// What a real server was asked and answered (format `recorded-exchanges/1`), played back by URL: the query in any order,
/// what was recorded several times in the order of the recording.
struct Recording: Sendable {
    private struct File: Decodable {
        struct Exchange: Decodable {
            struct Request: Decodable {
                let url: String
            }

            struct Response: Decodable {
                let status: Int
                let headers: [[String]]
                let bodyText: String?
                let bodyBase64: String?
            }

            let request: Request
            let response: Response
        }

        let exchanges: [Exchange]
    }

    /// The first URL that was asked.
    let start: String
    private let exchanges: [(url: String, answer: ScriptedAnswer)]
    private var turns: [String: Int] = [:]

    /// Looks for the recording beside the case, in a folder `real` beside it or above it, and in the folder that
    /// `LARDER_RECORDINGS` names.
    init(_ name: String, besides file: URL) throws(CaseFailure) {
        var folders: [URL] = []
        if let named = ProcessInfo.processInfo.environment["LARDER_RECORDINGS"] {
            folders.append(URL(fileURLWithPath: named, isDirectory: true))
        }
        var folder = file.standardizedFileURL.deletingLastPathComponent()
        folders.append(folder)
        while folder.path != "/" {
            folders.append(folder.appendingPathComponent("real", isDirectory: true))
            folder.deleteLastPathComponent()
        }
        let data = folders.lazy.compactMap { try? Data(contentsOf: $0.appendingPathComponent(name)) }.first
        guard let data else {
            throw CaseFailure("the recording \(name) is not there; LARDER_RECORDINGS may name its folder")
        }
        guard let file = try? JSONDecoder().decode(File.self, from: data), let first = file.exchanges.first else {
            throw CaseFailure("the recording \(name) cannot be read")
        }
        start = first.request.url
        exchanges = file.exchanges.map { exchange in
            let fields = exchange.response.headers.filter { $0.count == 2 }
                .map { HeaderFields.Field(name: $0[0], value: $0[1]) }
            let body =
                exchange.response.bodyText.map { Data($0.utf8) }
                ?? exchange.response.bodyBase64.flatMap { Data(base64Encoded: $0) } ?? Data()
            return (
                Self.key(exchange.request.url),
                ScriptedAnswer(status: exchange.response.status, headers: HeaderFields(fields), body: body)
            )
        }
    }

    /// The limit that the first request bore, if it did.
    var limit: Int? { AskedRequest(url: start, isAuthorized: false).count("limit") }

    mutating func answer(_ url: String) -> ScriptedAnswer? {
        let key = Self.key(url)
        let matches = exchanges.filter { $0.url == key }
        let turn = turns[key, default: 0]
        turns[key] = turn + 1
        return matches.isEmpty ? nil : matches[min(turn, matches.count - 1)].answer
    }

    private static func key(_ url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1)
        let query = parts.dropFirst().first.map { $0.split(separator: "&").sorted().joined(separator: "&") } ?? ""
        return "\(parts.first ?? "")?\(query)"
    }
}
