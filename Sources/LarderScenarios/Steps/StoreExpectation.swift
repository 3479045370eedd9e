import Foundation
import LarderKit

/// One thing that is to be seen after a step of a `steps/1`.
struct StoreExpectation: Sendable {
    enum Value: String, Sendable, CaseIterable {
        /// Any value.
        case present
        /// None.
        case absent
        /// The one that was stored before.
        case cached
        /// One that was just fetched.
        case fetched
    }

    enum Kind: Sendable {
        case value(Value)
        case stale(Bool)
        case age(Double)
        case failed(Bool)
        /// In seconds; at most this long.
        case within(Double)
        case sent(Bool)
        case requests(Int)
        case state(Connectivity)
        case states([Connectivity])
        /// Of each followed feed, since the first event.
        case refreshesPerFeed(ClosedRange<Int>)
        case refreshesTogetherAtMost(Int)
        case unchecked
    }

    let name: String
    let kind: Kind

    private static let known: Set<String> = [
        "value", "fresh", "stale", "age", "failed", "within", "sent", "requestSent", "requests", "state", "states",
        "refreshesPerFeed", "refreshesPerFeedAtMost", "refreshesTogetherAtMost", "serverWritesPerOp",
    ]

    var isOfFeeds: Bool {
        switch kind {
        case .refreshesPerFeed, .refreshesTogetherAtMost: true
        default: false
        }
    }

    var isUnchecked: Bool { if case .unchecked = kind { true } else { false } }

    /// All that is expected, in the order of the names.
    static func all(in value: ScriptValue?, at place: String) throws(CaseFailure) -> [StoreExpectation] {
        guard let value else { return [] }
        let fields = try ScriptFields(value, at: place, known: known)
        var all: [StoreExpectation] = []
        for name in fields.names { all.append(StoreExpectation(name: name, kind: try kind(name, fields))) }
        return all
    }

    private static func kind(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> Kind {
        switch name {
        case "value":
            let words = Dictionary(uniqueKeysWithValues: Value.allCases.map { ($0.rawValue, $0) })
            return .value(try fields.word(name, of: words) ?? .present)
        case "fresh": return .stale(try fields.bool(name) == false)
        case "stale": return .stale(try fields.bool(name) == true)
        case "age": return .age(try fields.seconds(name) ?? 0)
        case "failed": return .failed(try fields.bool(name) ?? false)
        case "within":
            // As long as a read that has something to show waits for the network.
            if fields[name] == .text("timeout") { return .within(defaultPatience) }
            return .within(try fields.seconds(name) ?? 0)
        case "sent", "requestSent": return .sent(try fields.bool(name) ?? false)
        case "requests": return .requests(try fields.count(name) ?? 0)
        case "state": return .state(try fields.word(name, of: NetworkWords.states) ?? .unknown)
        case "states": return .states(try states(name, fields))
        case "refreshesPerFeed":
            let count = try fields.count(name) ?? 0
            return .refreshesPerFeed(count...count)
        case "refreshesPerFeedAtMost": return .refreshesPerFeed(0...(try fields.count(name) ?? 0))
        case "refreshesTogetherAtMost": return .refreshesTogetherAtMost(try fields.count(name) ?? 0)
        case "serverWritesPerOp":
            _ = try fields.count(name)
            return .unchecked
        default: throw CaseFailure("unknown expectation '\(name)' in \(fields.place)")
        }
    }

    /// What the documentation of the policies promises.
    private static let defaultPatience = 3.0

    private static func states(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> [Connectivity] {
        var states: [Connectivity] = []
        for value in try fields.list(name) ?? [] {
            guard case .text(let word) = value, let state = NetworkWords.states[word] else {
                throw fields.mismatch(name, "a list of states")
            }
            states.append(state)
        }
        return states
    }
}
