public import LarderKit

/// A request without its body.
///
/// Field values are what stood on the wire, one character a byte (ISO 8859-1), so that none is changed on its way through.
public struct HTTPRequestHead: Sendable, Hashable {
    /// As written: methods are case-sensitive (RFC 9110 section 9.1).
    public var method: String
    /// The target URI, absolute, without a fragment (RFC 9110 section 7.1).
    public var url: String
    public var headers: HeaderFields

    public init(method: String = "GET", url: String, headers: HeaderFields = [:]) {
        self.method = method
        self.url = url
        self.headers = headers
    }
}

/// An answer without its body, or an interim answer (1xx), which has none.
///
/// Field values are what stood on the wire, one character a byte (ISO 8859-1).
public struct HTTPResponseHead: Sendable, Hashable {
    public var status: Int
    /// What stands behind the status; often empty, and never looked at.
    public var reason: String
    public var headers: HeaderFields

    public init(status: Int, reason: String = "", headers: HeaderFields = [:]) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}
