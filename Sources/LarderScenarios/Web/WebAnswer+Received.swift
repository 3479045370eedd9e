import Foundation
import LarderHTTPCache
import LarderKit

extension WebAnswer {
    /// What a client of HTTP makes of the body's bytes: those that count, and how they end where that is not their end.
    func received(_ method: String) -> (body: Data, failure: FetchFailure?) {
        guard hasBody(method) else { return (Data(), nil) }
        if let raw {
            return isChunked ? Self.decoded(chunks: raw) : limited(raw, cut: nil)
        }
        if isChunked {
            guard let cut else { return (body, nil) }
            return (body.prefix(cut), Self.cutFailure)
        }
        return limited(body, cut: cut)
    }

    /// What cannot be read in one way only (RFC 9112 section 6.3).
    var isAmbiguous: Bool {
        let lengths = Set(headers.values(of: "Content-Length").flatMap { $0.split(separator: ",") }.map(\.trimmed))
        return lengths.count > 1 || lengths.contains { Int($0).map { $0 < 0 } ?? true }
    }

    private func limited(_ bytes: Data, cut: Int?) -> (body: Data, failure: FetchFailure?) {
        let sent = cut.map { bytes.prefix($0) } ?? bytes
        let due =
            headers["Content-Length"].flatMap { Int($0.split(separator: ",").first ?? "") }
            ?? (raw == nil ? bytes.count : sent.count)
        return sent.count < due ? (sent, Self.cutFailure) : (sent.prefix(due), nil)
    }

    private static let cutFailure = FetchFailure(.offline, "scripted: the connection was closed within the answer")
    private static let chunkFailure = FetchFailure(.wrongAnswer, "scripted: no chunk")

    private static func decoded(chunks raw: Data) -> (body: Data, failure: FetchFailure?) {
        var rest = raw[...]
        var body = Data()
        while let end = rest.range(of: Data("\r\n".utf8)) {
            let line = String(decoding: rest[..<end.lowerBound], as: UTF8.self).prefix { $0 != ";" }
            guard let size = Int(line.trimmed, radix: 16), size >= 0 else { return (body, chunkFailure) }
            rest = rest[end.upperBound...]
            if size == 0 {
                // Perhaps trailers, and an empty line.
                let isOver = rest.starts(with: Data("\r\n".utf8)) || rest.range(of: Data("\r\n\r\n".utf8)) != nil
                return (body, isOver ? nil : cutFailure)
            }
            body += rest.prefix(size)
            guard rest.count >= size + 2 else { return (body, cutFailure) }
            rest = rest.dropFirst(size)
            guard rest.starts(with: Data("\r\n".utf8)) else { return (body, chunkFailure) }
            rest = rest.dropFirst(2)
        }
        return (body, cutFailure)
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
