package import Foundation

/// Where the next page is, as an answer says: checked before it is followed, since what follows it carries the app's
/// credentials.
package enum ContinuationLink {
    /// The URL that `reference` means on `page` (RFC 3986 section 5), without a fragment, which is never sent.
    ///
    /// Only a URL of the page's own origin comes back. Characters that the RFC wants escaped are, and escapes stay as
    /// served.
    package static func resolve(_ reference: String, against page: URL) throws(LinkRefusal) -> URL {
        guard let home = WebOrigin(page) else { throw .pageHasNoOrigin }
        guard !reference.unicodeScalars.contains(where: \.isUnfitForURL) else { throw .unfitCharacter }
        let reference = Array(reference.utf8.prefix { $0 != ASCII.hash })
        guard let escaped = escaped(reference), let url = URL(string: escaped, relativeTo: page)?.absoluteURL else {
            throw .notAURL
        }
        guard url.user() == nil, url.password() == nil else { throw .userInfo }
        guard let origin = WebOrigin(url) else { throw .noOrigin }
        guard origin == home else { throw .otherOrigin(origin, page: home) }
        return url
    }

    /// With escapes for what may not stand in a path or query. Foundation would do so too, and with it escape the escapes that
    /// are there already. `nil` when something to escape stands before the path, where it could change the host.
    private static func escaped(_ reference: [UInt8]) -> String? {
        guard let pathStart = pathStart(reference) else { return nil }
        var text = Array(reference[..<pathStart])
        for index in pathStart..<reference.count {
            let byte = reference[index]
            let isLegal =
                byte == ASCII.percent ? isEscape(reference[index...].prefix(3)) : byte.isPathOrQueryByte
            text += isLegal ? [byte] : [ASCII.percent] + byte.hexadecimalDigits
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Behind the scheme and the authority; `nil` when there is a colon where only a scheme may be in front of one, and none
    /// is, or an authority beyond ASCII.
    private static func pathStart(_ reference: [UInt8]) -> Int? {
        let segment = reference.prefix { !$0.endsAuthority }
        let schemeEnd = segment.firstIndex(of: ASCII.colon).map { $0 + 1 } ?? 0
        guard segment.prefix(schemeEnd).dropLast().allSatisfy(\.isSchemeByte) else { return nil }
        let rest = reference[schemeEnd...]
        guard rest.starts(with: [ASCII.slash, ASCII.slash]) else { return schemeEnd }
        let authority = rest.dropFirst(2).prefix { !$0.endsAuthority }
        return authority.allSatisfy { $0 < 0x80 } ? authority.endIndex : nil
    }

    private static func isEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 3 && bytes.dropFirst().allSatisfy { $0.hexadecimalValue != nil }
    }
}

extension Unicode.Scalar {
    /// What readers of URLs are known to drop, or to take for something else: backslashes, white space, controls and
    /// other characters that are not seen, and the mark of bytes that could not be read.
    fileprivate var isUnfitForURL: Bool {
        if self == "\\" || self == "\u{FFFD}" { return true }
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}

extension UInt8 {
    /// `pchar`, `/` and `?` (RFC 3986 sections 3.3 and 3.4), but for `%`.
    fileprivate var isPathOrQueryByte: Bool {
        switch self {
        case 0x30...0x3B, 0x3F...0x5A, 0x61...0x7A: true  // digits : ; ? @ letters
        case 0x21, 0x24, 0x26...0x2F, 0x3D, 0x5F, 0x7E: true  // ! $ & ' ( ) * + , - . / = _ ~
        default: false
        }
    }

    /// A character of a scheme (RFC 3986 section 3.1).
    fileprivate var isSchemeByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, ASCII.plus, ASCII.minus, ASCII.dot: true
        default: false
        }
    }

    fileprivate var hexadecimalDigits: [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [digits[Int(self >> 4)], digits[Int(self & 0xF)]]
    }
}
