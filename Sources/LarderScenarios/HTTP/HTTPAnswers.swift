import Foundation
import LarderKit

/// Who answers in a step.
enum HTTPAnswers: Sendable {
    /// The origin must not be asked.
    case none
    case always(HTTPAnswer)
    /// One answer a request.
    case inTurn([HTTPAnswer])

    init(_ value: ScriptValue, at place: String, sent: Date) throws(CaseFailure) {
        switch value {
        case .null:
            self = .none
        case .list(let values):
            var answers: [HTTPAnswer] = []
            for (index, value) in values.enumerated() {
                answers.append(try HTTPAnswer(value, at: "\(place)[\(index)]", sent: sent))
            }
            self = .inTurn(answers)
        default:
            self = .always(try HTTPAnswer(value, at: place, sent: sent))
        }
    }
}

/// One answer of the origin, as a client of HTTP brings it.
struct HTTPAnswer: Sendable {
    enum Content: Sendable {
        case answer(status: Int, headers: HeaderFields, body: Data)
        case failure(any Error)
        /// Nothing, until the client gives up.
        case silence
    }

    let content: Content
    /// From the request to the last byte.
    let delay: Duration
    /// It comes although the client has given up.
    let isStubborn: Bool

    private static let known: Set<String> = [
        "status", "headers", "body", "bodyBase64", "rawBody", "error", "closeAfterBytes", "closeAfterRaw",
        "headersAfter", "bodyAfter", "stubborn",
    ]

    init(_ value: ScriptValue, at place: String, sent: Date) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: place, known: Self.known)
        delay = .seconds(max(try fields.seconds("headersAfter") ?? 0, try fields.seconds("bodyAfter") ?? 0))
        isStubborn = try fields.bool("stubborn") ?? false
        content = try Self.content(fields, sent: sent)
    }

    private static func content(_ fields: ScriptFields, sent: Date) throws(CaseFailure) -> Content {
        if let fault = try fields.text("error") {
            switch fault {
            case "silence": return .silence
            case "odd": return .failure(OddError())
            case "cancelled": return .failure(CancellationError())
            default: return .failure(try ScriptedAnswer.failure(fault, at: fields.place))
            }
        }
        guard let status = try fields.count("status") else { throw CaseFailure("\(fields.place) has no status") }
        let headers = moved(try fields.headers("headers"), to: sent)
        let cut = FetchFailure(.offline, "scripted: the connection was closed within the answer")
        if try fields.bool("closeAfterRaw") == true { return .failure(cut) }
        guard fields["rawBody"] == nil else { throw HTTPScript.needsCache("a body as it is on the wire") }
        let body = try body(fields)
        guard let count = try fields.count("closeAfterBytes") else {
            return .answer(status: status, headers: headers, body: body)
        }
        // With a length given, a client may hand over the beginning as if it were all; without one, the frame tells it.
        guard headers["Content-Length"] != nil else { return .failure(cut) }
        return .answer(status: status, headers: headers, body: body.prefix(count))
    }

    static func body(_ fields: ScriptFields) throws(CaseFailure) -> Data {
        if let base64 = try fields.text("bodyBase64") {
            guard let data = Data(base64Encoded: base64) else { throw fields.mismatch("bodyBase64", "Base64") }
            return data
        }
        return fields["body"] == .null ? Data() : Data((try fields.text("body") ?? "").utf8)
    }

    /// A `Date` that is the beginning of the case moves along with it.
    static func moved(_ headers: HeaderFields, to sent: Date) -> HeaderFields {
        HeaderFields(
            headers.fields.map { field in
                guard field.name.lowercased() == "date", field.value == originDate else { return field }
                return HeaderFields.Field(name: field.name, value: HTTPDate.format(sent))
            })
    }

    private static let originDate = "Thu, 15 Jan 2026 12:00:00 GMT"
}

/// An error that only the app knows, and that should not be told to anybody.
private struct OddError: Error, CustomStringConvertible {
    let description = "GET https://shop.example.test/?token=not-for-logs"
}
