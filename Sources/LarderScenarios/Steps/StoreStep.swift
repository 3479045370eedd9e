import Foundation
import LarderKit

/// One step of a case: what happens to the clock and the network, what is then done, and what is to be seen.
struct StoreStep: Sendable {
    enum Operation: Sendable {
        /// A value is fetched that is good for so long.
        case put(ttl: Duration?)
        /// With a policy or a network: read. Otherwise what is stored is looked at.
        case get(ReadPolicy?)
        /// A read of a value that is there.
        case read(ReadPolicy)
        /// A read of something that is not there.
        case request
        /// The larder is open, and nothing has happened yet.
        case open
        /// Somebody begins to follow what is known about the network.
        case observe
        /// The app is shown again.
        case enterForeground
        case none
    }

    let name: String
    let operation: Operation
    let key: String
    let at: Double?
    let wall: Date?
    let passes: Double
    let event: Connectivity?
    /// How requests end from now on.
    let ending: RequestEnding?
    let expectations: [StoreExpectation]

    private static let known: Set<String> = [
        "at", "do", "key", "ttl", "wall", "monotonicPlus", "event", "path", "network", "requests", "policy", "expect",
    ]

    init(_ value: ScriptValue, number: Int) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "steps[\(number - 1)]", known: Self.known)
        let word = try fields.text("do")
        name = "step \(number)" + (word.map { " (\($0))" } ?? "")
        key = try fields.text("key") ?? "k"
        at = try fields.seconds("at")
        wall = try fields.date("wall")
        passes = try fields.seconds("monotonicPlus") ?? 0
        let network = try fields.word("network", of: NetworkWords.states)
        let path = try fields.word("path", of: NetworkWords.paths)
        event = try fields.word("event", of: NetworkWords.states) ?? path ?? network
        ending = try RequestEnding(fields, network)
        operation = try Self.operation(word, fields, hasNetwork: network != nil)
        expectations = try StoreExpectation.all(in: fields["expect"], at: "\(fields.place).expect")
        guard word != nil || event != nil || !expectations.isEmpty || passes > 0 || wall != nil else {
            throw CaseFailure("\(fields.place) does nothing")
        }
    }

    private static func operation(
        _ word: String?, _ fields: ScriptFields, hasNetwork: Bool
    ) throws(CaseFailure) -> Operation {
        let policy = try PolicyWords.policy("policy", in: fields)
        switch word {
        case nil: return .none
        case "put": return .put(ttl: try fields.seconds("ttl").map { .seconds($0) })
        case "get": return .get(policy ?? (hasNetwork ? .cacheFirst : nil))
        case "init": return .open
        case "request": return .request
        case "observe": return .observe
        case "foreground": return .enterForeground
        case "userRefresh": return .read(.networkOnly)
        case .some(let word):
            guard let policy = PolicyWords.plain[word] else {
                throw CaseFailure("unknown operation '\(word)' in \(fields.place)")
            }
            return .read(policy)
        }
    }
}

/// How a request ends.
enum RequestEnding: Sendable, Hashable {
    case answered
    case failed(FetchFailure)
    /// No answer, until the client gives up after a minute.
    case timedOut

    /// What the step says, or `nil` for what was said before.
    init?(_ fields: ScriptFields, _ network: Connectivity?) throws(CaseFailure) {
        switch fields["requests"] {
        case .text("ok"): self = .answered
        case .text("timeout"): self = .timedOut
        case .text(let fault): self = .failed(try ScriptedAnswer.failure(fault, at: fields.place))
        case .number(let status):
            guard let status = Int("\(status)") else { throw fields.mismatch("requests", "a status") }
            self = .failed(.http(status: status))
        case nil:
            switch network {
            case nil: return nil
            case .offline: self = .failed(FetchFailure(.offline, "scripted: offline"))
            case .some: self = .answered
            }
        case .some: throw fields.mismatch("requests", "how requests end")
        }
    }
}
