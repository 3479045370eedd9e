/// What an answer says it is, as far as it matters for telling JSON from a page that came in its place.
package enum MediaType: Sendable, Hashable {
    /// `application/json`, `text/json`, and every type with the suffix `+json` (RFC 6839 section 3.1).
    case json
    /// `text/html` and `application/xhtml+xml`.
    case html
    case other
    /// No `Content-Type`, or an empty one: the body must speak for itself (RFC 9110 section 8.3).
    case absent

    /// What a `Content-Type` field says. Parameters are left out of account, and so are further members of a list,
    /// which is an error.
    package init(contentType: String?) {
        let bytes = (contentType ?? "").utf8.prefix { $0 != UInt8(ascii: ";") && $0 != ASCII.comma }.trimmingBlanks()
        let name = String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)
        self =
            switch name {
            case "": .absent
            case "application/json", "text/json": .json
            case "text/html", "application/xhtml+xml": .html
            default: name.utf8.contains(ASCII.slash) && name.hasSuffix("+json") ? .json : .other
            }
    }
}
