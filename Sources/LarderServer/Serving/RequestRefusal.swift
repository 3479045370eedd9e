import LarderKit

/// Why a request is refused before it reaches a handler, judged from its head alone.
///
/// libmicrohttpd takes heads that two readers may frame in two ways, the stuff of request smuggling (RFC 9112 sections
/// 6.1 and 6.3); what it does not show, a bare line feed or a folded line, cannot be judged here.
struct RequestRefusal: Hashable {
    let status: Int
    let reason: String

    init?(headers: HeaderFields, bodyLimit: Int) {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        if lengths.count > 1 || (!lengths.isEmpty && !codings.isEmpty) {
            self.init(400, "the length of the body is given twice")
        } else if !codings.isEmpty, codings.map({ $0.lowercased() }) != ["chunked"] {
            self.init(501, "the only transfer coding understood is chunked")
        } else if headers.values(of: "Host").count > 1 {
            self.init(400, "Host is given twice")
        } else if headers.fields.contains(where: { $0.name.contains(where: \.isWhitespace) }) {
            self.init(400, "a field name contains a blank")
        } else if let length = lengths.first.flatMap(Int.init), length > bodyLimit {
            self.init(413, "the body is larger than \(bodyLimit) bytes")
        } else {
            return nil
        }
    }

    private init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    var response: ServerResponse {
        .plain(status: status, reason + "\n")
    }
}
