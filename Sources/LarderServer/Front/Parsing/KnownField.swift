/// The fields that the front itself looks at, and those that ``RequestTraits`` tells of.
enum KnownField {
    case host, contentLength, transferEncoding, connection, expect
    case trait(RequestTraits)

    /// - Parameter name: A name's bytes. Case does not matter.
    static func named(_ name: UnsafeRawBufferPointer) -> KnownField? {
        switch name.count {
        case 4: matches(name, "host") ? .host : nil
        case 5: matches(name, "range") ? .trait(.range) : nil
        case 6:
            if matches(name, "cookie") {
                .trait(.cookie)
            } else if matches(name, "pragma") {
                .trait(.pragma)
            } else {
                matches(name, "expect") ? .expect : nil
            }
        case 7: matches(name, "upgrade") ? .trait(.upgrade) : nil
        case 8: matches(name, "if-match") || matches(name, "if-range") ? .trait(.conditional) : nil
        case 10: matches(name, "connection") ? .connection : nil
        case 13:
            if matches(name, "cache-control") {
                .trait(.cacheControl)
            } else if matches(name, "if-none-match") {
                .trait(.conditional)
            } else {
                matches(name, "authorization") ? .trait(.authorization) : nil
            }
        case 14: matches(name, "content-length") ? .contentLength : nil
        case 17:
            if matches(name, "if-modified-since") {
                .trait(.conditional)
            } else {
                matches(name, "transfer-encoding") ? .transferEncoding : nil
            }
        case 19: matches(name, "if-unmodified-since") ? .trait(.conditional) : nil
        default: nil
        }
    }

    /// - Parameter lowercased: ASCII in lower case, as many bytes as `bytes` has, or more or fewer.
    static func matches(_ bytes: UnsafeRawBufferPointer, _ lowercased: StaticString) -> Bool {
        guard bytes.count == lowercased.utf8CodeUnitCount else { return false }
        return lowercased.withUTF8Buffer { expected in
            for index in 0..<bytes.count where lowercase(bytes[index]) != expected[index] { return false }
            return true
        }
    }

    @inline(__always)
    private static func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
