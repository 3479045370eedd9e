import Foundation
import LarderKit

/// A URL from the command line, found fit to be asked. Its bytes are never rewritten: parameters are put behind them.
struct Endpoint: Sendable, Hashable {
    /// As given, without its fragment, which is never sent (RFC 9110 section 4.2.5).
    let url: String
    /// Scheme, host and port: what may be named in a message, since paths and queries may hold tokens.
    let origin: String
    /// Whether the host is this machine, as its name or address says.
    let isLoopback: Bool

    /// - Throws: ``UsageError``. It repeats nothing of the URL that might be secret.
    init(_ text: String) throws(UsageError) {
        let text = String(text.prefix { $0 != "#" })
        guard let mark = text.firstRange(of: "://") else {
            throw UsageError("the URL must start with http:// or https://, as in https://api.example.com/items")
        }
        let scheme = text[..<mark.lowerBound].lowercased()
        guard ["http", "https"].contains(scheme) else {
            throw UsageError("the URL must start with http:// or https://; \(Printable.line(scheme)):// is not asked")
        }
        let authority = text[mark.upperBound...].prefix { !"/?".contains($0) }
        guard authority.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw UsageError(
                "the URL's host has letters beyond ASCII: write it in punycode, as in xn--bcher-kva.example for bücher.example"
            )
        }
        guard let location = URL(string: text, encodingInvalidCharacters: false) else {
            throw UsageError("the URL is not valid; escape blanks and other special characters with % (a blank is %20)")
        }
        guard let host = location.host(), !host.isEmpty else {
            throw UsageError("the URL names no host, as in https://api.example.com/items")
        }
        guard location.user() == nil, location.password() == nil else {
            throw UsageError("the URL carries a user name; give --header 'Authorization: …' instead")
        }
        if let port = location.port, !(1...65_535).contains(port) {
            throw UsageError("the URL's port is not between 1 and 65535")
        }
        url = text
        origin = "\(scheme)://" + (host.contains(":") ? "[\(host)]" : host) + (location.port.map { ":\($0)" } ?? "")
        let name = host.lowercased()
        isLoopback =
            name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("127.") || name.contains("::1")
    }

    private init(url: String, of other: Endpoint) {
        self.url = url
        origin = other.origin
        isLoopback = other.isLoopback
    }

    /// The values under `name` in the query, escapes undone.
    func values(of name: String) -> [String] {
        pairs.filter { Self.name(of: $0) == name }.map { pair in
            let value = pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] } ?? ""
            return value.replacing("+", with: " ").removingPercentEncoding ?? String(value)
        }
    }

    /// The same URL without the parameters under `name`; every other byte stays.
    func removing(_ name: String) -> Endpoint {
        guard let mark = url.firstIndex(of: "?"), !values(of: name).isEmpty else { return self }
        let rest = pairs.filter { Self.name(of: $0) != name }.joined(separator: "&")
        return Endpoint(url: String(url[..<mark]) + (rest.isEmpty ? "" : "?" + rest), of: self)
    }

    /// The URL with parameters behind those it has.
    func adding(_ parameters: [(name: String, value: String)]) -> String {
        guard !parameters.isEmpty else { return url }
        let query = parameters.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
        guard url.contains("?") else { return url + "?" + query }
        return url + (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") + query
    }

    private var pairs: [Substring] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    }

    private static func name(of pair: Substring) -> String {
        let name = pair.prefix { $0 != "=" }
        return name.replacing("+", with: " ").removingPercentEncoding ?? String(name)
    }

    /// Everything but the unreserved characters of RFC 3986 section 2.3 is escaped.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            unreserved.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
}

extension Endpoint {
    /// A stored URL as it may be shown: the values of parameters that look like secrets are left out.
    static func shown(_ url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let pairs = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        return url[...mark]
            + pairs.map { pair in
                let name = pair.prefix { $0 != "=" }
                return SecretName.isSecret(name.removingPercentEncoding ?? String(name)) ? "\(name)=…" : String(pair)
            }.joined(separator: "&")
    }
}
