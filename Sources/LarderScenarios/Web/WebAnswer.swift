import Foundation
import LarderHTTPCache
import LarderKit

/// Who answers in a step.
enum WebAnswers: Sendable {
    /// The origin must not be asked.
    case none
    case always(WebAnswer)
    /// One answer a request.
    case inTurn([WebAnswer])

    init(_ value: ScriptValue, at place: String, sent: Date) throws(CaseFailure) {
        switch value {
        case .null:
            self = .none
        case .list(let values):
            var answers: [WebAnswer] = []
            for (index, value) in values.enumerated() {
                answers.append(try WebAnswer(value, at: "\(place)[\(index)]", sent: sent))
            }
            self = .inTurn(answers)
        default:
            self = .always(try WebAnswer(value, at: place, sent: sent))
        }
    }

    var all: [WebAnswer] {
        switch self {
        case .none: []
        case .always(let answer): [answer]
        case .inTurn(let answers): answers
        }
    }
}

/// One answer of an origin, byte for byte as far as the case says so.
struct WebAnswer: Sendable {
    enum Fault: String, Sendable {
        case refused, dns, timeout, offline
        case reset = "reset-before-headers"
        /// Nothing, until the client gives up.
        case silence
    }

    let fault: Fault?
    let status: Int
    let headers: HeaderFields
    let body: Data
    /// What stands behind the head, with its framing.
    let raw: Data?
    /// How much of the body comes before the connection is closed.
    let cut: Int?
    /// The connection is closed behind what is raw, whatever its framing says.
    let closesAfterRaw: Bool
    let interim: [HTTPResponseHead]
    /// From the request to the head, and to the last byte.
    let headDelay: Duration
    let bodyDelay: Duration

    private static let known: Set<String> = [
        "status", "headers", "body", "bodyBase64", "rawBody", "error", "closeAfterBytes", "closeAfterRaw",
        "headersAfter", "bodyAfter", "interim",
    ]

    init(_ value: ScriptValue, at place: String, sent: Date) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: place, known: Self.known)
        let (head, body) = (try fields.seconds("headersAfter") ?? 0, try fields.seconds("bodyAfter") ?? 0)
        headDelay = .seconds(head)
        bodyDelay = .seconds(max(head, body))
        if let word = try fields.text("error") {
            guard let fault = Fault(rawValue: word) else {
                throw CaseFailure("unknown error \(JSONString.quoting(word)) in \(place)")
            }
            self.fault = fault
        } else {
            fault = nil
        }
        guard let status = try fields.count("status") ?? (fault == nil ? nil : 0) else {
            throw CaseFailure("\(place) has no status")
        }
        self.status = status
        headers = HTTPAnswer.moved(try fields.headers("headers"), to: sent)
        self.body = try HTTPAnswer.body(fields)
        raw = try fields.text("rawBody").map { Data($0.utf8) }
        cut = try fields.count("closeAfterBytes")
        closesAfterRaw = try fields.bool("closeAfterRaw") ?? false
        var interim: [HTTPResponseHead] = []
        for (index, value) in (try fields.list("interim") ?? []).enumerated() {
            let fields = try ScriptFields(value, at: "\(place).interim[\(index)]", known: ["status", "headers"])
            guard let status = try fields.count("status") else { throw CaseFailure("\(fields.place) has no status") }
            interim.append(HTTPResponseHead(status: status, headers: try fields.headers("headers")))
        }
        self.interim = interim
    }

    var isChunked: Bool { headers["Transfer-Encoding"]?.lowercased().contains("chunked") == true }

    /// Fields come behind the last chunk.
    var hasTrailers: Bool {
        guard isChunked, let raw, let last = raw.range(of: Data("\r\n0\r\n".utf8)) else { return false }
        let rest = raw[last.upperBound...]
        return !rest.isEmpty && !rest.starts(with: Data("\r\n".utf8))
    }

    /// Whether an answer to this method has a body at all (RFC 9112 section 6.3).
    func hasBody(_ method: String) -> Bool { method != "HEAD" && status != 204 && status != 304 && status >= 200 }

    /// With a length where the origin has to say one.
    func framedHeaders(_ method: String) -> HeaderFields {
        guard hasBody(method), raw == nil, !isChunked, headers["Content-Length"] == nil else { return headers }
        var framed = headers
        framed.append(name: "Content-Length", value: String(body.count))
        return framed
    }
}
