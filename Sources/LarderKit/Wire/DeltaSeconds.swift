/// A span of whole seconds in a header field (RFC 9111 section 1.2.2).
package enum DeltaSeconds {
    /// What every larger number counts as: 2^31, about 68 years.
    package static let limit = 1 << 31

    /// The seconds that `text` spells, at most ``limit``; `nil` unless it is digits and nothing else.
    package static func parse(_ text: some StringProtocol) -> Int? {
        parse(utf8: text.utf8)
    }

    static func parse(utf8: some Sequence<UInt8>) -> Int? {
        var seconds: Int?
        for byte in utf8 {
            guard byte.isASCIIDigit else { return nil }
            seconds = min((seconds ?? 0) * 10 + Int(byte - ASCII.zero), limit)
        }
        return seconds
    }
}

/// The time an answer has already spent in caches, from the `Age` field (RFC 9111 section 5.1).
package enum Age {
    /// The age in seconds; `nil` when `value` says none. Of a list, which is an error, the first member counts.
    package static func parse(_ value: String) -> Int? {
        DeltaSeconds.parse(utf8: value.utf8.prefix { $0 != ASCII.comma }.trimmingBlanks())
    }
}

extension BidirectionalCollection where Element == UInt8 {
    /// Without the blanks and tabs at both ends (OWS, RFC 9110 section 5.6.3).
    func trimmingBlanks() -> SubSequence {
        guard let start = firstIndex(where: { !$0.isBlank }), let end = lastIndex(where: { !$0.isBlank }) else {
            return self[startIndex..<startIndex]
        }
        return self[start...end]
    }
}

extension UInt8 {
    var isBlank: Bool { self == ASCII.space || self == ASCII.tab }
}
