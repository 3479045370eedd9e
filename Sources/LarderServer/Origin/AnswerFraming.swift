import LarderHTTPCache
import LarderKit

/// How the end of an answer's body is found (RFC 9112 section 6.3).
enum AnswerFraming: Hashable {
    case none
    case length(Int)
    case chunked
    /// It runs to the end of the connection, or of the stream in HTTP/2.
    case toTheEnd

    struct Fault: Error {
        let explanation: String
    }

    /// Refuses what two readers would frame in two ways.
    static func judge(
        _ head: HTTPResponseHead, version: Substring, requestMethod: String
    ) -> Result<AnswerFraming, Fault> {
        let codings = head.headers.list("Transfer-Encoding").map { $0.lowercased() }
        let lengths = head.headers.list("Content-Length").map(length)
        if lengths.contains(nil) { return fault("its length is not a number") }
        if Set(lengths).count > 1 { return fault("it has two lengths") }
        let hasCoding = head.headers["Transfer-Encoding"] != nil
        if hasCoding, !lengths.isEmpty { return fault("the length of its body is told in two ways") }
        if hasCoding, !version.hasPrefix("1.1") { return fault("it has a transfer coding that its version lacks") }
        if requestMethod == "HEAD" || head.status == 204 || head.status == 304 { return .success(.none) }
        if let length = lengths.first, let length { return .success(.length(length)) }
        if !hasCoding { return .success(.toTheEnd) }
        if codings == ["chunked"] { return .success(.chunked) }
        // What is known changes the bytes, and nobody asked for it; a cache that kept them would not know what it has.
        let known: Set = ["chunked", "gzip", "x-gzip", "compress", "x-compress", "deflate"]
        if codings.contains(where: known.contains) { return fault("it has a transfer coding that was not asked for") }
        return .success(.toTheEnd)
    }

    private static func fault(_ explanation: String) -> Result<AnswerFraming, Fault> {
        .failure(Fault(explanation: explanation))
    }

    private static func length(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

extension HeaderFields {
    /// The elements of a comma-separated field. Empty ones count only where the field has no others.
    fileprivate func list(_ name: String) -> [String] {
        values(of: name).flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false)
                .map { String($0.utf8.withoutBlanks) ?? "" }
        }
    }
}

extension HeaderFields.Field {
    /// Whether it tells the length of a body.
    var isFraming: Bool { ["content-length", "transfer-encoding"].contains(name.lowercased()) }
}
