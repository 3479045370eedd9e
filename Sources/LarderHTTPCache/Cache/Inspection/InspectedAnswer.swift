package import LarderKit

/// A stored answer as those see it who look at a cache from outside.
package struct InspectedAnswer: Sendable {
    package let partition: String
    /// The URI it answers, as ``HTTPRules/key(of:)`` writes it.
    package let url: String
    package let answer: StoredAnswer
    /// The kind of the cache that stored it, as far as that shows: what both judge alike counts as a shared one's.
    package let kind: CacheKind
    /// The name of its row.
    package let name: String
    let body: StoredBody

    /// - Returns: `nil` for what is no answer, or cannot be read.
    package init?(_ entry: StoredEntry, as key: StoreKey) {
        guard let url = AnswerNames.key(of: key.key), let record = RecordFormat.decode(entry) else { return nil }
        partition = key.partition
        name = key.key
        self.url = url
        answer = record.answer
        body = record.body
        kind = Self.kind(of: record.answer, lifetime: entry.metadata.lifetime)
    }

    /// The names of the rows that hold its body, where that is not in the answer's own.
    package var partNames: [String] {
        guard case .chunks(let id, let chunkSize) = body else { return [] }
        return (0..<(answer.size + chunkSize - 1) / chunkSize).map { AnswerNames.chunk(id, $0) }
    }

    private static func kind(of answer: StoredAnswer, lifetime: Duration?) -> CacheKind {
        if answer.client != nil { return .shared }
        // A shared cache keeps it for one client alone.
        if AnswerDirectives(answer.headers, .private).isPrivate { return .private }
        let isOfShared = lifetime == milliseconds(FreshnessFacts(answer, .shared).lifetime)
        return !isOfShared && lifetime == milliseconds(FreshnessFacts(answer, .private).lifetime) ? .private : .shared
    }

    private static func milliseconds(_ seconds: Double) -> Duration { .milliseconds(Int64(seconds * 1000)) }
}

/// What the rows of an HTTP cache are told by, among the rest of a cache file.
package enum AnswerRow: Sendable, Hashable {
    /// An answer, of the URI with this key.
    case answer(url: String)
    /// A part of the body of one.
    case bodyPart

    /// - Returns: `nil` for what is not of an HTTP cache.
    package init?(_ summary: EntrySummary) {
        switch summary.metadata.codec {
        case AnswerNames.bodyCodec, AnswerNames.ownBodyCodec: self = .bodyPart
        case AnswerNames.codec, AnswerNames.ownCodec:
            guard let url = AnswerNames.key(of: summary.key.key) else { return nil }
            self = .answer(url: url)
        default: return nil
        }
    }

    /// The same by the name alone, for what is pinned and may be gone.
    package init?(name: String) {
        if name.hasPrefix(AnswerNames.bodyPrefix) {
            self = .bodyPart
        } else if let url = AnswerNames.key(of: name), HTTPRules.key(of: url) == url {
            self = .answer(url: url)
        } else {
            return nil
        }
    }
}
