import LarderKit

/// A URL taken to pieces, with none of them changed.
struct OriginTarget: Sendable, Hashable {
    let scheme: String
    /// Host and port as they are written.
    let authority: String
    /// What stands in the request line: path and query, a byte for each character.
    let target: String

    /// - Throws: `other`. The explanations repeat nothing of the URL.
    init(_ url: String, method: String = "GET") throws(FetchFailure) {
        let url = url.prefix { $0 != "#" }
        guard let scheme = ["http", "https"].first(where: { url.lowercased().hasPrefix($0 + "://") }) else {
            throw FetchFailure(.other, "the URL must start with http:// or https://")
        }
        let rest = url.dropFirst(scheme.count + 3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw FetchFailure(.other, "the URL carries a user name; send an Authorization header instead")
        }
        guard !authority.isEmpty, !authority.hasPrefix(":") else { throw FetchFailure(.other, "the URL names no host") }
        guard authority.utf8.allSatisfy({ $0.isVisible && $0 < 0x7F && $0 != 0x5C }) else {
            throw FetchFailure(.other, "the host of the URL has characters in it that none has")
        }
        let target = rest.dropFirst(authority.count)
        guard String(target).isoLatin1?.allSatisfy(\.isVisible) == true else {
            throw FetchFailure(.other, "the URL is not valid; escape blanks and other special characters with %")
        }
        self.scheme = scheme
        self.authority = String(authority)
        // RFC 9112 section 3.2.
        if target.isEmpty {
            self.target = method == "OPTIONS" ? "*" : "/"
        } else {
            self.target = (target.hasPrefix("?") ? "/" : "") + target
        }
    }

    /// Whether the host is this machine, as its name or address says.
    var isLoopback: Bool {
        if authority.hasPrefix("[") { return authority.hasPrefix("[::1]") }
        let host = authority.prefix { $0 != ":" }.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.")
    }
}

extension UInt8 {
    /// Whether it can stand in a URL on the wire without ending it.
    fileprivate var isVisible: Bool { self > 0x20 && self != 0x7F }
}
