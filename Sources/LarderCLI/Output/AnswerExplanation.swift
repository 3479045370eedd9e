import Foundation
import LarderHTTPCache
import LarderKit

/// What the rules of HTTP would do with a GET of a stored answer, as it is told.
struct AnswerExplanation: Sendable {
    let found: InspectedAnswer
    let outlook: AnswerOutlook
    let kind: CacheKind
    /// A rule was given that fits.
    let hasRule: Bool
    let now: Date

    /// One for each variant.
    static func all(of answers: [InspectedAnswer], _ options: HTTPCacheOptions, now: Date) -> [AnswerExplanation] {
        guard let url = answers.first?.url else { return [] }
        let kind = options.kind ?? (answers.contains { $0.kind == .private } ? .private : .shared)
        let rule = OfflineRule.first(of: options.rules, for: url)
        let context = ReuseContext(kind: kind, now: now, rule: rule)
        var told: Set<Int> = []
        return answers.indices.compactMap { index in
            let outlook = AnswerOutlook(selecting: index, of: answers.map(\.answer), context)
            guard told.insert(outlook.index).inserted else { return nil }
            return AnswerExplanation(
                found: answers[outlook.index], outlook: outlook, kind: kind, hasRule: rule != nil, now: now)
        }
    }

    private var answer: StoredAnswer { found.answer }
    private var age: Double { outlook.freshness.age(at: now) }
    private var lifetime: Double { outlook.freshness.lifetime }

    var sentence: String {
        switch outlook.decision {
        case .show: "serves what is stored, which is fresh, and asks nobody"
        case .showAndAsk: "serves what is stored, and asks the origin behind it (stale-while-revalidate)"
        case .ask: "asks the origin first, and serves what is stored if that cannot be reached"
        case .wait: "asks the origin and waits for its answer, since what is stored may not stand in for it"
        }
    }

    /// A line a fact, in two columns.
    var lines: [String] {
        let part = answer.part.map { ", bytes \($0.first) to \($0.last) only" } ?? ""
        let facts: [(label: String, text: String?)] = [
            ("a GET", sentence),
            ("stored", "HTTP answer \(answer.status), \(Units.size(answer.size))\(part), \(kind.rawValue) cache"),
            ("fresh", freshness),
            (
                "lifetime",
                outlook.lifetimeFrom.map { "\(Units.age(ListedAnswer.duration(lifetime))), by \($0)" }
                    ?? "none: the answer says nothing of it, and it may not be guessed"
            ),
            ("varies by", answer.variant.fields.isEmpty ? nil : ListedAnswer.variantText(answer)),
            ("validators", conditions.isEmpty ? "none: it is sent whole again" : conditions.joined(separator: ", ")),
            ("forbids", forbids),
            ("origin away", Self.text(outlook.ifUnreachable, else: "nothing is served: 502 or 504")),
            ("origin fails", Self.text(outlook.ifFails, else: "its answer (500, 502, 503, 504) is passed on")),
            ("rules", hasRule ? nil : "none given; a proxy's own offline rules are its own: --rule"),
        ]
        return facts.compactMap { label, text in
            text.map { "  \(Printable.padded(label, to: 12))  \(Printable.line($0))" }
        }
    }

    private var conditions: [String] { outlook.conditions.map(\.name) }

    private var freshness: String {
        if answer.isInvalidated { return "no: a request has changed it since" }
        guard outlook.freshness.isFresh(at: now) else {
            return lifetime > 0 ? "no: stale for \(Units.age(ListedAnswer.duration(age - lifetime)))" : "never"
        }
        let rest = Units.age(ListedAnswer.duration(lifetime - age))
        return outlook.freshness.isReusable(at: now) ? "for \(rest)" : "for \(rest), and to be asked for all the same"
    }

    private var forbids: String? {
        let words = outlook.forbidding
        guard !words.isEmpty else { return answer.isKeptByRule ? "kept by an offline rule alone" : nil }
        let end = answer.isKeptByRule ? "; an offline rule keeps it" : ""
        return "\(words.joined(separator: ", "))\(end)"
    }

    private static func text(_ serving: Serving?, else other: String) -> String {
        guard let serving else { return other }
        return serving.isByRule ? "what is stored is served, by the offline rule" : "what is stored is served"
    }

    private static func word(_ serving: Serving?) -> String {
        serving.map { $0.isByRule ? "servedByRule" : "served" } ?? "nothing"
    }

    var members: [(name: String, value: JSONText)] {
        let staleFor = outlook.freshness.isFresh(at: now) ? nil : ListedAnswer.duration(age - lifetime)
        return [
            ("key", .string(Endpoint.shown(found.url))),
            ("kind", .string("httpAnswer")),
            ("decision", .string(outlook.decision.rawValue)),
            ("sentence", .string(sentence)),
            ("stored", .bool(true)),
            ("status", .number(answer.status)),
            ("bytes", .number(answer.size)),
            ("age", .seconds(ListedAnswer.duration(age))),
            ("lifetime", .seconds(ListedAnswer.duration(lifetime))),
            ("lifetimeFrom", outlook.lifetimeFrom.json(JSONText.string)),
            ("fresh", .bool(outlook.freshness.isReusable(at: now))),
            ("staleFor", staleFor.json(JSONText.seconds)),
            ("invalidated", .bool(answer.isInvalidated)),
            ("keptByRule", .bool(answer.isKeptByRule)),
            ("forbids", .array(outlook.forbidding.map(JSONText.string))),
            ("whenUnreachable", .string(Self.word(outlook.ifUnreachable))),
            ("whenFailing", .string(Self.word(outlook.ifFails))),
            ("validators", .array(conditions.map(JSONText.string))),
            ("variant", ListedAnswer.variantJSON(answer)),
            ("cacheKind", .string(kind.rawValue)),
        ]
    }
}
