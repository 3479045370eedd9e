internal import LarderKit

/// What a `Range` field asks for (RFC 9110 section 14.2).
enum RequestedRange: Sendable, Hashable {
    /// None, or none that is understood: the whole is asked for.
    case none
    /// One that is understood.
    case single(Single)
    /// Several.
    case several

    enum Single: Sendable, Hashable {
        /// From here on, to there or to the end.
        case from(Int, to: Int?)
        /// So many from the end.
        case suffix(Int)
    }

    init(_ headers: HeaderFields) {
        guard let value = headers["Range"], let equals = value.firstIndex(of: "="),
            String(value[..<equals]).equalsIgnoringCase("bytes")
        else {
            self = .none
            return
        }
        let members = ListMembers.split(String(value[value.index(after: equals)...]))
        let ranges = members.compactMap(Self.single)
        switch ranges.count {
        case 0: self = .none
        case _ where ranges.count < members.count: self = .none
        case 1: self = .single(ranges[0])
        default: self = .several
        }
    }

    private static func single(_ text: String) -> Single? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[0].isEmpty { return Decimal.parse(parts[1]).map { .suffix($0) } }
        guard let first = Decimal.parse(parts[0]) else { return nil }
        if parts[1].isEmpty { return .from(first, to: nil) }
        guard let last = Decimal.parse(parts[1]), last >= first else { return nil }
        return .from(first, to: last)
    }
}

/// A number of bytes: digits and nothing else. What is larger than any body counts as 2^59.
enum Decimal {
    static let limit = 1 << 59

    static func parse(_ text: some StringProtocol) -> Int? {
        var number: Int?
        for byte in text.utf8 {
            guard byte.isDigit else { return nil }
            number = min((number ?? 0) * 10 + Int(byte - 0x30), limit)
        }
        return number
    }
}
