import Foundation
import LarderKit

/// One step of a case: what the app does, or what happens to it, and what is then to be seen.
struct HTTPStep: Sendable {
    enum Operation: Sendable {
        case request(HTTPRequest)
        /// The end of a request that was not waited for.
        case awaitAnswer(String)
        /// The task that waits for it is cancelled.
        case cancel(String)
        case peekStore(url: String)
        case search(String)
        case signOut
        case restart
        case remove(url: String)
        case store(url: String, body: Data)
        case invalidate(prefix: String)
        /// Nothing but time, and what the step says of the world.
        case pass
    }

    let name: String
    let operation: Operation
    let at: Double?
    let wall: Date?
    let network: Connectivity?
    let account: String?
    let expectations: [HTTPExpectation]

    private static let common: Set<String> = ["at", "do", "wall", "network", "account", "expect"]
    private static let own: [String: Set<String>] = [
        "request": ["request", "requestCacheControl", "origin", "policy", "parallel", "as", "handle", "client"],
        "await": ["as"], "cancel": ["as"], "peekStore": ["url"], "grepDisk": ["for"], "signOut": [], "restart": [],
        "remove": ["url"],
        "store": ["url", "body"], "invalidate": ["prefix"], "pass": [],
    ]

    init(_ value: ScriptValue, number: Int, start: Date) throws(CaseFailure) {
        let place = "steps[\(number - 1)]"
        guard case .object(let members) = value, case .text(let word) = members["do"] else {
            throw CaseFailure("\(place) does nothing")
        }
        guard let own = Self.own[word] else { throw CaseFailure("unknown operation '\(word)' in \(place)") }
        let fields = try ScriptFields(value, at: place, known: Self.common.union(own))
        name = "step \(number) (\(word))"
        at = try fields.seconds("at")
        wall = try fields.date("wall")
        network = try fields.word("network", of: NetworkWords.states)
        account = try fields.text("account")
        operation = try Self.operation(word, fields, sent: start + (at ?? 0))
        expectations = try HTTPExpectation.all(in: fields["expect"], of: operation, at: "\(place).expect")
    }

    private static func operation(
        _ word: String, _ fields: ScriptFields, sent: Date
    ) throws(CaseFailure) -> Operation {
        switch word {
        case "request": .request(try HTTPRequest(fields, sent: sent))
        case "await": .awaitAnswer(try fields.required("as"))
        case "cancel": .cancel(try fields.required("as"))
        case "peekStore": .peekStore(url: try fields.required("url"))
        case "grepDisk": .search(try fields.required("for"))
        case "signOut": .signOut
        case "restart": .restart
        case "remove": .remove(url: try fields.required("url"))
        case "store": .store(url: try fields.required("url"), body: Data(try fields.required("body").utf8))
        case "invalidate": .invalidate(prefix: try fields.required("prefix"))
        default: .pass
        }
    }
}

extension ScriptFields {
    func required(_ name: String) throws(CaseFailure) -> String {
        guard let text = try text(name) else { throw CaseFailure("\(place) has no \(name)") }
        return text
    }
}
