public import Foundation

extension Explanation {
    /// One fact under a name, for a program or a log.
    public struct Fact: Sendable, Hashable {
        public enum Value: Sendable, Hashable {
            case text(String)
            case number(Int)
            case flag(Bool)
            case duration(Duration)
            case date(Date)
            case list([String])
            /// It is not known, or there is no such thing.
            case none
        }

        /// The same name always means the same.
        public let name: String
        public let value: Value

        init(_ name: String, _ value: Value?) {
            self.name = name
            self.value = value ?? .none
        }
    }

    /// Everything, under names: the key first, then the decision, then what it rests on. Those of a page are there for a
    /// feed alone.
    public var facts: [Fact] {
        [Fact("key", .text(key)), Fact("kind", .text(isOfFeed ? "feed" : "resource"))] + placeFacts + [
            Fact("decision", .text(decision.name)), Fact("sentence", .text(sentence)),
        ] + storedFacts + policyFacts + networkFacts + [Fact("tags", .list(tags))]
    }

    var isOfFeed: Bool {
        if case .feed = subject { true } else { false }
    }

    private var placeFacts: [Fact] {
        switch subject {
        case .resource(let storage): [Fact("storage", .text(storage))]
        case .feed(let position): [Fact("position", .text(position.words))]
        }
    }

    private var storedFacts: [Fact] {
        [
            Fact("stored", .flag(stored != nil)), Fact("trouble", trouble.map { .text($0) }),
            Fact("bytes", (stored?.bytes).map { .number($0) }),
            Fact("codec", (stored?.codec?.description).map { .text($0) }),
            Fact("storedAt", (stored?.storedAt).map { .date($0) }), Fact("age", (stored?.age).map { .duration($0) }),
            Fact("lifetime", (stored?.lifetime).map { .duration($0) }),
            Fact("lifetimeFrom", (stored?.lifetimeSource.rawValue).map { .text($0) }),
            Fact("fresh", (stored?.isFresh).map { .flag($0) }),
            Fact("staleFor", (stored?.staleFor).map { .duration($0) }),
            Fact("invalidated", (stored?.isInvalidated).map { .flag($0) }),
            Fact("validators", .list(stored?.validators ?? [])),
            Fact("serverStaleWhileRevalidate", (stored?.stale.whileRevalidate).map { .duration($0) }),
            Fact("serverStaleIfError", (stored?.stale.ifError).map { .duration($0) }),
        ] + pageFacts
    }

    private var pageFacts: [Fact] {
        guard let page else { return [] }
        return [
            Fact("items", .number(page.items)), Fact("complete", .flag(page.isComplete)),
            Fact("gapsBelow", page.gapsBelow.map { .number($0) }), Fact("asked", .text(page.asked.rawValue)),
        ]
    }

    private var policyFacts: [Fact] {
        [
            Fact("policy", .text(policy.name)), Fact("staleWindow", policy.window.map { .duration($0) }),
            Fact("patience", .duration(patience)), Fact("staleIfError", staleIfError.map { .duration($0) }),
        ]
    }

    private var networkFacts: [Fact] {
        [
            Fact("connectivity", .text(network.connectivity.rawValue)),
            Fact("origin", network.origin.map { .text($0) }),
            Fact("standing", .text(network.standing.name)),
            Fact("heldBackFor", network.standing.remaining.map { .duration($0) }),
            Fact("heldBackBecause", (network.standing.failure?.explanation).map { .text($0) }),
            Fact("underWay", .text(network.underWay.rawValue)),
        ]
    }
}

extension Explanation.Standing {
    /// One word for programs.
    public var name: String {
        switch self {
        case .open: "open"
        case .heldBack: "heldBack"
        case .probeDue: "probeDue"
        }
    }

    /// How long the origin is still left alone.
    public var remaining: Duration? {
        if case .heldBack(let remaining, _) = self { remaining } else { nil }
    }

    public var failure: FetchFailure? {
        switch self {
        case .open: nil
        case .heldBack(_, let failure), .probeDue(let failure): failure
        }
    }

    init(_ standing: OriginStanding) {
        switch standing {
        case .open: self = .open
        case .heldBack(let remaining, let failure): self = .heldBack(for: remaining, failure)
        case .probeDue(let failure): self = .probeDue(failure)
        }
    }
}

extension ReadPolicy {
    /// One word for a log or a table.
    public var name: String {
        switch kind {
        case .cacheFirst: "cacheFirst"
        case .staleWhileRevalidate: "staleWhileRevalidate"
        case .networkFirst: "networkFirst"
        case .cacheOnly: "cacheOnly"
        case .networkOnly: "networkOnly"
        }
    }

    /// For how long a stale value is shown while it is asked for again, if that has an end.
    var window: Duration? {
        if case .staleWhileRevalidate(let window) = kind { window } else { nil }
    }
}

extension FeedPosition {
    fileprivate var words: String {
        switch self {
        case .newest: "newest"
        case .older(let id): "older than \(id.rawValue)"
        case .newer(let id): "newer than \(id.rawValue)"
        }
    }
}
