import Foundation
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension HTTPResponseHead {
    /// What `URLSession` made of an answer's head. Fields that came several times come joined, in no particular order.
    ///
    /// It takes off content codings by itself and leaves the fields that tell of them: they go here, since they are not true of
    /// the body any more.
    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map {
                HeaderFields.Field(name: $0, value: WireText.value(from: String(describing: value)))
            }
        }
        let headers = HeaderFields(fields)
        self.init(
            status: response.statusCode,
            headers: Self.isDecoded(headers)
                ? headers.without(["content-encoding", "content-length"]) : headers)
    }

    private static func isDecoded(_ headers: HeaderFields) -> Bool {
        guard let coding = headers["Content-Encoding"]?.lowercased(), coding != "identity" else { return false }
        #if canImport(Darwin)
            return ["gzip", "x-gzip", "deflate", "br"].contains(coding)
        #else
            // What it cannot take off is a failure there.
            return true
        #endif
    }

    /// How long the body is to be, where that can be told by the bytes handed out.
    func announcedLength(to method: String) -> Int? {
        guard method != "HEAD", status >= 200, status != 204, status != 304,
            let text = headers.values(of: "Content-Length").first?.prefix(while: { $0 != "," }),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}

extension HTTPURLResponse {
    /// Its lengths differ, or one is none: it could be read in two ways (RFC 9112 section 6.3). `URLSession` takes one of them.
    var hasUnclearLength: Bool {
        guard let field = value(forHTTPHeaderField: "Content-Length") else { return false }
        let lengths = field.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(lengths.map { Int($0) }).count > 1
            || !lengths.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// An answer as code over `URLSession` knows it.
    static func make(_ head: HTTPResponseHead, url: URL) throws(FetchFailure) -> HTTPURLResponse {
        var fields: [String: String] = [:]
        var names: [String: String] = [:]
        for field in head.headers.fields {
            let value = WireText.text(of: field.value)
            let name = names[field.name.lowercased(), default: field.name]
            names[field.name.lowercased()] = name
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        guard
            let response = HTTPURLResponse(
                url: url, statusCode: head.status, httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw FetchFailure(.wrongAnswer, "the head of the answer is none") }
        return response
    }
}
