import Foundation
import LarderHTTPCache
import LarderKit

/// One step of a case: what a client does, or what happens to the cache, and what is then to be seen.
struct WebStep: Sendable {
    enum Operation: Sendable {
        case request(WebRequest)
        /// The end of a request that was not waited for.
        case awaitAnswer(String)
        /// The task that waits for it is cancelled.
        case cancel(String)
        case peekStore(url: String, headers: HeaderFields)
        case search(String)
        case signOut
        case restart
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
        "request": ["request", "requestCacheControl", "origin", "policy", "parallel", "as", "client"],
        "await": ["as"], "cancel": ["as"], "peekStore": ["url", "headers"], "grepDisk": ["for"], "signOut": [],
        "restart": [], "pass": [],
    ]
    private static let ofTypedStore: Set<String> = ["store", "remove", "invalidate"]

    init(_ value: ScriptValue, number: Int, start: Date) throws(CaseFailure) {
        let place = "steps[\(number - 1)]"
        guard case .object(let members) = value, case .text(let word) = members["do"] else {
            throw CaseFailure("\(place) does nothing")
        }
        if Self.ofTypedStore.contains(word) { throw CaseFailure("'\(word)' in \(place) is for the typed store alone") }
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
        case "request": .request(try WebRequest(fields, sent: sent))
        case "await": .awaitAnswer(try fields.required("as"))
        case "cancel": .cancel(try fields.required("as"))
        case "peekStore": .peekStore(url: try fields.required("url"), headers: try fields.headers("headers"))
        case "grepDisk": .search(try fields.required("for"))
        case "signOut": .signOut
        case "restart": .restart
        default: .pass
        }
    }
}

/// A request as a client makes it, and what the origin answers if it is asked.
struct WebRequest: Sendable {
    let method: String
    let url: String
    let headers: HeaderFields
    let body: Data?
    /// Instead of the case's own.
    let policy: WebPolicy?
    /// Which client of a shared cache it is.
    let client: String?
    let answers: WebAnswers
    /// How many callers make it at once.
    let callers: Int
    /// The name of a request that is not waited for.
    let name: String?

    init(_ fields: ScriptFields, sent: Date) throws(CaseFailure) {
        guard let request = try fields.fields("request", known: ["method", "url", "headers", "body"]) else {
            throw CaseFailure("\(fields.place) has no request")
        }
        method = try request.text("method") ?? "GET"
        url = try request.required("url")
        body = try request.text("body").map { Data($0.utf8) }
        policy = try WebPolicy("policy", in: fields)
        client = try fields.text("client")
        var headers = try request.headers("headers")
        if let control = try fields.text("requestCacheControl") {
            headers.append(name: "Cache-Control", value: control)
        }
        self.headers = headers
        guard let origin = fields["origin"] else { throw CaseFailure("\(fields.place) has no origin") }
        answers = try WebAnswers(origin, at: "\(fields.place).origin", sent: sent)
        callers = try fields.count("parallel") ?? 1
        guard callers > 0 else { throw fields.mismatch("parallel", "a number of callers") }
        name = try fields.text("as")
        guard name == nil || callers == 1 else { throw fields.mismatch("parallel", "one, with a name") }
    }

    init(peeking url: String, _ headers: HeaderFields) {
        (method, self.url, self.headers, body) = ("GET", url, headers, nil)
        (policy, client, answers, callers, name) = (.cache(.cacheOnly), nil, .none, 1, nil)
    }
}
