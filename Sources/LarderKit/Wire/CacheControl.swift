/// The `Cache-Control` of an answer or a request (RFC 9111 section 5.2), and RFC 5861's directives for stale answers.
///
/// Reads whatever stands there and never fails: what is garbled is taken in the sense that keeps less and serves
/// less stale. An argument counts as well in quotes as without (section 5.2); quoted text is never searched for directives.
package struct CacheControl: Sendable, Hashable {
    package struct Directive: Sendable, Hashable {
        /// In small letters.
        package let name: String
        /// Without its quotes; `nil` when there is none, or none that can be read.
        package let argument: String?
    }

    /// All directives, in order, with repeats and unknown ones.
    package let directives: [Directive]

    /// Reads one field value.
    package init(_ value: String) {
        var parser = DirectiveParser(bytes: Array(value.utf8))
        directives = parser.parse()
    }

    /// Reads every line under `name`. Each by itself: a quote left open in one hides nothing in the next.
    package init(_ headers: HeaderFields, name: String = "Cache-Control") {
        directives = headers.values(of: name).flatMap { CacheControl($0).directives }
    }

    package func contains(_ name: String) -> Bool {
        directives.contains { $0.name == name }
    }

    /// The argument of the first `name` in seconds, which is zero when it cannot be read (section 4.2.1: stale rather than
    /// guessed), and 2^31 at most. `nil` when there is no such directive.
    package func seconds(_ name: String) -> Int? {
        directives.first { $0.name == name }.map { $0.argument.flatMap { DeltaSeconds.parse($0) } ?? 0 }
    }
}

extension CacheControl {
    package var maxAge: Int? { seconds("max-age") }
    package var sharedMaxAge: Int? { seconds("s-maxage") }
    package var staleWhileRevalidate: Int? { seconds("stale-while-revalidate") }
    package var staleIfError: Int? { seconds("stale-if-error") }
    package var noStore: Bool { contains("no-store") }
    /// Also for `no-cache="Field"`, which asks less: section 5.2.2.4 allows the wider reading.
    package var noCache: Bool { contains("no-cache") }
    /// Also for `private="Field"`, which asks less: section 5.2.2.7 allows the wider reading.
    package var isPrivate: Bool { contains("private") }
    package var isPublic: Bool { contains("public") }
    package var mustRevalidate: Bool { contains("must-revalidate") }
    package var proxyRevalidate: Bool { contains("proxy-revalidate") }
    package var mustUnderstand: Bool { contains("must-understand") }
    package var immutable: Bool { contains("immutable") }
}

/// Reads `#( token [ "=" ( token / quoted-string ) ] )`. Of a member with more behind that, the rest is passed over.
private struct DirectiveParser {
    let bytes: [UInt8]
    var position = 0

    mutating func parse() -> [CacheControl.Directive] {
        var directives: [CacheControl.Directive] = []
        while position < bytes.count {
            while position < bytes.count, bytes[position].isBlank { position += 1 }
            let name = token()
            var argument: String?
            if position < bytes.count, bytes[position] == UInt8(ascii: "=") {
                position += 1
                argument = position < bytes.count && bytes[position] == ASCII.quote ? quoted() : token()
            }
            let isGarbled = skipRest()
            if !name.isEmpty {
                directives.append(.init(name: name.lowercased(), argument: isGarbled ? nil : argument))
            }
        }
        return directives
    }

    private mutating func token() -> String {
        let start = position
        while position < bytes.count, bytes[position].isTokenByte { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A quoted string (RFC 9110 section 5.6.4); `nil` when it does not end.
    private mutating func quoted() -> String? {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == ASCII.quote { return String(decoding: text, as: UTF8.self) }
            if byte == ASCII.backslash, position < bytes.count {
                text.append(bytes[position])
                position += 1
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    /// Up to behind the next comma outside quotes. True when something other than blanks was passed over.
    private mutating func skipRest() -> Bool {
        var isGarbled = false
        while position < bytes.count, bytes[position] != ASCII.comma {
            if bytes[position] == ASCII.quote {
                _ = quoted()
                isGarbled = true
            } else {
                isGarbled = isGarbled || !bytes[position].isBlank
                position += 1
            }
        }
        position += 1
        return isGarbled
    }
}

extension UInt8 {
    /// A character of a token (RFC 9110 section 5.6.2).
    var isTokenByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x7C, 0x7E: true
        default: false
        }
    }
}
