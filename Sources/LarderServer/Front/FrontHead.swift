package import LarderHTTPCache
import LarderKit

/// The head of an answer as bytes, made once and sent often.
///
/// What concerns the connection and the framing is left out: the front says it, for each client as it has to be said.
package struct FrontHead: Sendable, Hashable {
    /// Status line and field lines, each with its CRLF.
    let bytes: [UInt8]
    package let status: Int
    let hasDate: Bool
    /// What Content-Length said: for answers whose body is not sent.
    let announcedLength: Int?

    package init(_ head: HTTPResponseHead) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        status = (100...999).contains(head.status) ? head.status : 500
        Latin1.append("HTTP/1.1 \(status) ", to: &bytes)
        Latin1.append(head.reason.isEmpty ? Self.phrase(status) : head.reason, to: &bytes)
        bytes.append(contentsOf: Self.lineEnd)
        var (hasDate, length) = (false, Int?.none)
        for field in head.headers.fields where field.name.isFieldName {
            switch field.name.lowercased() {
            case "connection", "keep-alive", "proxy-connection", "transfer-encoding": continue
            case "content-length":
                length = length ?? Int(field.value)
                continue
            case "date": hasDate = true
            default: break
            }
            Latin1.append(field.name, to: &bytes)
            bytes.append(contentsOf: Self.colon)
            Latin1.append(field.value, to: &bytes)
            bytes.append(contentsOf: Self.lineEnd)
        }
        self.bytes = bytes
        self.hasDate = hasDate
        announcedLength = length.flatMap { $0 < 0 ? nil : $0 }
    }

    /// An answer of this status has no body, whatever was asked (RFC 9110 section 6.4.1).
    var isWithoutBody: Bool { status < 200 || status == 204 || status == 304 }

    private static let lineEnd: [UInt8] = [ByteClass.carriageReturn, ByteClass.lineFeed]
    private static let colon: [UInt8] = [UInt8(ascii: ":"), ByteClass.space]

    private static func phrase(_ status: Int) -> String { phrases[status] ?? "" }

    private static let phrases = [
        100: "Continue", 103: "Early Hints", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
        403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 410: "Gone",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        508: "Loop Detected",
    ]
}

extension String {
    /// A token (RFC 9110 section 5.6.2).
    fileprivate var isFieldName: Bool { !isEmpty && utf8.allSatisfy(ByteClass.isToken) }
}
