/// What a server can be asked with whether a value has changed (RFC 9110 section 8.8), as it gave them.
public struct Validators: Sendable, Hashable, Codable {
    public var etag: String?
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }

    /// The header fields of a conditional request (RFC 9110 sections 13.1.2 and 13.1.3).
    public var conditionalHeaders: HeaderFields {
        var headers = HeaderFields()
        if let etag { headers.append(name: "If-None-Match", value: etag) }
        if let lastModified { headers.append(name: "If-Modified-Since", value: lastModified) }
        return headers
    }
}
