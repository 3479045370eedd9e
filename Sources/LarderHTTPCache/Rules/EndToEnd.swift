package import LarderKit

extension HTTPRules {
    /// The fields of a message without those that concern one connection only, the ones its `Connection` names included
    /// (RFC 9110 section 7.6.1).
    ///
    /// A `Connection` cannot take away what is for all recipients: the RFC forbids to name it there, and who does so wants a
    /// cache to overlook it.
    package static func endToEnd(_ headers: HeaderFields) -> HeaderFields {
        var dropped = hopByHop
        for line in headers.values(of: "Connection") + headers.values(of: "Proxy-Connection") {
            dropped.formUnion(
                ListMembers.split(line).lazy.map { $0.lowercased() }.filter { !forAllRecipients.contains($0) })
        }
        return headers.without(dropped)
    }

    /// In small letters, as all sets of names here.
    private static let hopByHop: Set = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static let forAllRecipients: Set = [
        "age", "authorization", "cache-control", "cdn-cache-control", "content-encoding", "content-length",
        "content-range",
        "content-type", "cookie", "date", "etag", "expires", "host", "if-match", "if-modified-since", "if-none-match",
        "if-range", "if-unmodified-since", "last-modified", "location", "pragma", "range", "set-cookie", "vary",
    ]
}
