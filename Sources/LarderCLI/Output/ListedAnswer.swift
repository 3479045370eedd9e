import Foundation
import LarderHTTPCache
import LarderKit

/// A stored HTTP answer, as `ls`, `show` and `get` tell of it.
struct ListedAnswer: Sendable {
    let found: InspectedAnswer
    let storedAt: Date
    let usedAt: Date?
    let isPinned: Bool
    /// All bytes of it: its row and the parts of its body.
    let size: Int
    let isWhole: Bool
    let now: Date

    private var answer: StoredAnswer { found.answer }
    private var freshness: FreshnessFacts { FreshnessFacts(answer, found.kind) }

    /// `200, 1.2 kB, fresh for 3 min`, and what else is to be said.
    var facts: [String] {
        let part = answer.part.map { part in
            "bytes \(part.first) to \(part.last) of \(part.total.map { String($0) } ?? "an unknown number")"
        }
        let variant = answer.variant.fields.isEmpty ? nil : "for \(Self.variantText(answer))"
        return [
            String(answer.status), Units.size(size), freshnessText, variant, part.map { "partial: \($0)" },
            isWhole ? nil : "parts of its body are gone", answer.client == nil ? nil : "for one client only",
            answer.isKeptByRule ? "kept by an offline rule" : nil,
        ].compactMap { $0 }
    }

    /// Since when it is stale, or for how long it is fresh.
    var freshnessText: String {
        if answer.isInvalidated { return "stale: said to have changed" }
        let (age, lifetime) = (freshness.age(at: now), freshness.lifetime)
        if freshness.isFresh(at: now) {
            let rest = "fresh for \(Units.age(Self.duration(lifetime - age)))"
            return freshness.isReusable(at: now) ? rest : "\(rest), but to be asked for each time"
        }
        return lifetime > 0 ? "stale for \(Units.age(Self.duration(age - lifetime)))" : "never fresh"
    }

    /// Seconds, however many.
    static func duration(_ seconds: Double) -> Duration { .seconds(min(max(0, seconds), 1e12)) }

    /// The request fields that select it; the values of those that may be secret are not told.
    static func variantText(_ answer: StoredAnswer) -> String {
        answer.variant.fields.map { field in
            guard let value = field.value else { return "no \(field.name)" }
            return "\(field.name): \(SecretName.isSecret(field.name) ? "…" : Printable.line(value))"
        }.joined(separator: ", ")
    }

    /// The members of an object, behind partition and key.
    var members: [(name: String, value: JSONText)] {
        let age = freshness.age(at: now)
        return [
            ("status", .number(answer.status)),
            ("size", .number(size)),
            ("storedAt", .timestamp(storedAt)),
            ("age", .seconds(Self.duration(age))),
            ("lifetime", .seconds(Self.duration(freshness.lifetime))),
            ("fresh", .bool(freshness.isReusable(at: now))),
            ("invalidated", .bool(answer.isInvalidated)),
            ("variant", Self.variantJSON(answer)),
            ("part", answer.part.json(Self.json)),
            ("complete", .bool(isWhole && answer.part == nil)),
            ("keptByRule", .bool(answer.isKeptByRule)),
            ("forOneClient", .bool(answer.client != nil)),
            ("cacheKind", .string(found.kind.rawValue)),
            ("pinned", .bool(isPinned)),
            ("usedAt", usedAt.json(JSONText.timestamp)),
        ]
    }

    static func variantJSON(_ answer: StoredAnswer) -> JSONText {
        .array(
            answer.variant.fields.map { field in
                let shown = field.value.map { SecretName.isSecret(field.name) ? "…" : $0 }
                return .object([("name", .string(field.name)), ("value", shown.json(JSONText.string))])
            })
    }

    private static func json(_ part: StoredAnswer.Part) -> JSONText {
        .object([
            ("first", .number(part.first)), ("last", .number(part.last)),
            ("total", part.total.json(JSONText.number)),
        ])
    }
}
