internal import Foundation
internal import LarderKit

extension HTTPRules {
    /// What answers to a GET or HEAD of `url` are stored under: scheme and host in small letters, no default port, no fragment, an
    /// empty path as `/`; nothing else is changed (RFC 9110 section 4.2.3). `nil` for what is no absolute http or https URI,
    /// and for one with a user in it (RFC 9110 section 4.2.4).
    package static func key(of url: String) -> String? {
        let bytes = Array(url.utf8.prefix { $0 != UInt8(ascii: "#") })
        guard bytes.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            return nil
        }
        let scheme = String(decoding: bytes[..<colon].map(\.lowercasedASCII), as: UTF8.self)
        guard scheme == "http" || scheme == "https", bytes[(colon + 1)...].starts(with: "//".utf8) else { return nil }
        let start = colon + 3
        let end = bytes[start...].firstIndex { [0x2F, 0x3F, 0x5C].contains($0) } ?? bytes.endIndex
        guard let authority = authority(bytes[start..<end], defaultPort: scheme == "http" ? "80" : "443") else {
            return nil
        }
        let rest = String(decoding: bytes[end...], as: UTF8.self)
        if rest.hasPrefix("\\") { return nil }
        return "\(scheme)://\(authority)\(rest.hasPrefix("/") ? "" : "/")\(rest)"
    }

    private static func authority(_ bytes: ArraySlice<UInt8>, defaultPort: String) -> String? {
        guard !bytes.contains(UInt8(ascii: "@")) else { return nil }
        let hostEnd: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
        }
        guard hostEnd > bytes.startIndex else { return nil }
        let host = String(decoding: bytes[..<hostEnd].map(\.lowercasedASCII), as: UTF8.self)
        guard hostEnd < bytes.endIndex else { return host }
        let port = bytes[(hostEnd + 1)...]
        guard bytes[hostEnd] == UInt8(ascii: ":"), port.allSatisfy(\.isDigit) else { return nil }
        let number = String(decoding: port, as: UTF8.self)
        return number.isEmpty || number == defaultPort ? host : "\(host):\(number)"
    }

    /// The key of what `reference` means in an answer to a request of `url`; `nil` unless it is of the same origin.
    static func key(of reference: String, at url: String) -> String? {
        guard let base = URL(string: url), let target = try? ContinuationLink.resolve(reference, against: base) else {
            return nil
        }
        return key(of: target.absoluteString)
    }

    /// The URIs whose stored answers count as invalidated after this exchange, as keys (RFC 9111 section 4.4): that of the
    /// request, and those that `Location` and `Content-Location` name if they are of the same origin, after an answer without
    /// an error to a method that is not known to be safe.
    package static func invalidated(by response: HTTPResponseHead, to request: HTTPRequestHead) -> [String] {
        guard !isSafe(request.method), 200..<400 ~= response.status, let own = key(of: request.url) else { return [] }
        var keys = [own]
        for name in ["Location", "Content-Location"] {
            for reference in response.headers.values(of: name) {
                if let key = key(of: reference, at: request.url), !keys.contains(key) { keys.append(key) }
            }
        }
        return keys
    }

    /// Methods that ask for no change (RFC 9110 section 9.2.1, and the registry). Unknown ones may.
    static func isSafe(_ method: String) -> Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "QUERY", "REPORT", "SEARCH"].contains(method)
    }
}
