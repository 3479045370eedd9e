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

    /// The row of one variant, for one client, of a part, or kept by a rule. The plain whole answer has the name itself.
    ///
    /// Of two parts that start with the same byte one takes the other's place.
    static func answer(_ key: String, _ answer: StoredAnswer) -> String {
        guard !answer.variant.fields.isEmpty || answer.client != nil || answer.isKeptByRule || answer.part != nil else {
            return answers(key)
        }
        // All of it is compared before it is served: two that meet would only take each other's place.
        let fields = answer.variant.fields.map { "\($0.name)\($0.value.map { ":" + $0 } ?? "")\n" }.joined()
        let part = answer.part.map { "\n\($0.first)" } ?? ""
        let digest = Digest128.text(of: "\(fields)\n\(answer.client ?? "")\n\(answer.isKeptByRule)\(part)")
        return "\(answers(key))\n\(digest)"
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
    /// Of answers for one client alone, which no snapshot takes along.
    static let ownCodec = CodecID(name: "http-answer" + CodecID.ownSuffix)
    static let ownBodyCodec = CodecID(name: "http-body" + CodecID.ownSuffix)
    static let bodyCodec = CodecID(name: "http-body")
}
