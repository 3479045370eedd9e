import LarderKit

import struct Foundation.Data

/// A stored answer with where its body lies: what one row holds.
struct AnswerRecord: Sendable {
    var answer: StoredAnswer
    /// The order of the request that brought it, or last freshened it.
    var stamp: Int64
    var body: StoredBody
}

/// Where the bytes of a stored body lie.
enum StoredBody: Sendable, Hashable {
    /// In the row itself.
    case inline(Data)
    /// In rows of their own, `chunkSize` bytes each but the last.
    case chunks(id: String, chunkSize: Int)

    /// Bodies up to this many bytes lie in the row of their answer: it is written anew with them when the answer is freshened.
    static let inlineLimit = 32 << 10
    /// How many bytes are in memory at a time of a body that is being stored, or served from the disk.
    static let chunkSize = 1 << 20
}

/// The names that the rows of the HTTP cache have.
enum AnswerNames {
    /// What all answers to GETs of a URI are stored under; `key` is ``HTTPRules/key(of:)``.
    static func answers(_ key: String) -> String { prefix + key }

    /// The row of one variant. The plain answer, whose `Vary` names nothing, has the name itself.
    static func answer(_ key: String, _ variant: Variant) -> String {
        variant.fields.isEmpty ? answers(key) : "\(answers(key))\n\(digest(of: variant))"
    }

    static func chunk(_ id: String, _ number: Int) -> String { "\(bodyPrefix)\(id)/\(number)" }

    /// The key of the URI that a row's name is for; `nil` for what is no answer's.
    static func key(of name: String) -> String? {
        guard name.hasPrefix(prefix), !name.hasPrefix(bodyPrefix) else { return nil }
        return String(name.dropFirst(prefix.count).prefix { $0 != "\n" })
    }

    static let prefix = "HTTP "
    static let bodyPrefix = "HTTP body "
    static let codec = CodecID(name: "http-answer")
    static let bodyCodec = CodecID(name: "http-body")

    /// 128 bits: two variants of one URI do not meet by accident, and the variant itself is compared before it is served.
    private static func digest(of variant: Variant) -> String {
        var sums: (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x84222325_cbf29ce4)
        func mix(_ byte: UInt8) {
            sums.0 = (sums.0 ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            sums.1 = (sums.1 ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
            sums.1 ^= sums.1 >> 29
        }
        for field in variant.fields {
            field.name.utf8.forEach(mix)
            mix(field.value == nil ? 0 : 1)
            (field.value ?? "").utf8.forEach(mix)
            mix(10)
        }
        return String(sums.0, radix: 16) + String(sums.1, radix: 16)
    }
}
