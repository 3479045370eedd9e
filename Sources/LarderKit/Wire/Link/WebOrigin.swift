package import Foundation

/// Who answers at a URL: scheme, host and port (RFC 6454 section 4).
///
/// Read strictly from the text that is sent, so that no two readers can take it for different hosts. What is not plainly
/// an address over HTTP has no origin.
package struct WebOrigin: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// In small letters; an IPv6 address with its brackets. Compares as text: two spellings of one address differ.
    package let host: String
    package let port: UInt16

    /// - Returns: `nil` for another scheme than `http` and `https`, for a user name or password, for a host that is not
    ///   a plain name or address, and for a port that there is none of.
    package init?(_ url: URL) {
        let bytes = Array(url.absoluteString.utf8)
        let scheme = String(decoding: bytes.prefix { $0 != ASCII.colon }.map(\.asciiLowercased), as: UTF8.self)
        guard let defaultPort = Self.defaultPorts[scheme] else { return nil }
        let rest = bytes.dropFirst(scheme.utf8.count + 1)
        guard rest.starts(with: [ASCII.slash, ASCII.slash]) else { return nil }
        let authority = rest.dropFirst(2).prefix { !$0.endsAuthority }

        let hostEnd: Int
        if authority.first == ASCII.openBracket {
            guard let close = authority.firstIndex(of: ASCII.closeBracket) else { return nil }
            hostEnd = close + 1
            let address = authority[..<close].dropFirst()
            guard address.contains(ASCII.colon), address.allSatisfy(\.isIPv6Byte) else { return nil }
        } else {
            hostEnd = authority.firstIndex(of: ASCII.colon) ?? authority.endIndex
            guard hostEnd > authority.startIndex, authority[..<hostEnd].allSatisfy(\.isHostByte) else { return nil }
        }
        guard let port = Self.port(authority[hostEnd...], default: defaultPort) else { return nil }
        self.scheme = scheme
        host = String(decoding: authority[..<hostEnd].map(\.asciiLowercased), as: UTF8.self)
        self.port = port
    }

    /// What stands behind the host: nothing, a colon, or a colon and a number.
    private static func port(_ suffix: ArraySlice<UInt8>, default defaultPort: UInt16) -> UInt16? {
        guard let colon = suffix.first else { return defaultPort }
        let digits = suffix.dropFirst()
        guard colon == ASCII.colon, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        guard !digits.isEmpty else { return defaultPort }
        return UInt16(String(decoding: digits, as: UTF8.self)).flatMap { $0 == 0 ? nil : $0 }
    }

    private static let defaultPorts: [String: UInt16] = ["http": 80, "https": 443]
}

extension WebOrigin: CustomStringConvertible {
    /// As section 6.2 writes it: the port only where it is not the scheme's own.
    package var description: String {
        "\(scheme)://\(host)" + (Self.defaultPorts[scheme] == port ? "" : ":\(port)")
    }
}

extension UInt8 {
    /// What ends the authority of a URL (RFC 3986 section 3.2).
    var endsAuthority: Bool { self == ASCII.slash || self == ASCII.question || self == ASCII.hash }

    /// A character of a host's name or IPv4 address. The underscore is no part of names by the book, and of many in use.
    fileprivate var isHostByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, ASCII.minus, ASCII.dot, ASCII.underscore: true
        default: false
        }
    }

    fileprivate var isIPv6Byte: Bool { hexadecimalValue != nil || self == ASCII.colon || self == ASCII.dot }
}
