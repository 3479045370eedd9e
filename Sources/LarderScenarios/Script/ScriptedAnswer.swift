import Foundation
import LarderKit

/// An answer that a case puts in the server's mouth.
struct ScriptedAnswer: Sendable {
    enum Content: Sendable {
        case http(status: Int, headers: HeaderFields, body: Data)
        case failure(FetchFailure)
    }

    let content: Content

    static let known: Set<String> = ["status", "headers", "body", "bodyBase64", "rawBody", "error", "closeAfterBytes"]

    init(status: Int, headers: HeaderFields, body: Data) {
        content = .http(status: status, headers: headers, body: body)
    }

    init(json: Data) {
        self.init(status: 200, headers: ["Content-Type": "application/json"], body: json)
    }

    init(_ value: ScriptValue, at place: String, rawBodies: [String: Data]) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: place, known: Self.known)
        if let fault = try fields.text("error") {
            content = .failure(try Self.failure(fault, at: place))
            return
        }
        if try fields.count("closeAfterBytes") != nil {
            content = .failure(FetchFailure(.offline, "scripted: the connection was closed within the answer"))
            return
        }
        let status = try fields.count("status") ?? 200
        content = .http(status: status, headers: try fields.headers("headers"), body: try Self.body(fields, rawBodies))
    }

    private static func body(_ fields: ScriptFields, _ rawBodies: [String: Data]) throws(CaseFailure) -> Data {
        if let base64 = try fields.text("bodyBase64") {
            guard let data = Data(base64Encoded: base64) else { throw fields.mismatch("bodyBase64", "Base64") }
            return data
        }
        if let name = try fields.text("rawBody") {
            guard let data = rawBodies[name] else { throw fields.mismatch("rawBody", "one of rawBodies") }
            return data
        }
        switch fields["body"] {
        case nil, .null: return Data()
        case .text(let text): return Data(text.utf8)
        case .some(let value): return Data(value.description.utf8)
        }
    }

    /// What a client makes of a fault of the network.
    static func failure(_ fault: String, at place: String) throws(CaseFailure) -> FetchFailure {
        switch fault {
        case "offline", "refused", "dns", "reset-before-headers": FetchFailure(.offline, "scripted: \(fault)")
        case "timeout": FetchFailure(.timedOut, "scripted: \(fault)")
        default: throw CaseFailure("unknown error \(JSONString.quoting(fault)) in \(place)")
        }
    }
}
