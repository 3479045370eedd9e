import Foundation
public import LarderKit

extension SimulatedFeedServer {
    /// The answer as a typed page.
    ///
    /// - Throws: `FetchFailure` for an answer that is no page.
    public func page(for request: PageRequest) throws(FetchFailure) -> Page<Item> {
        let answer = answer(request)
        guard answer.status == 200 else { throw .http(status: answer.status) }
        return rules.endOfList == .said && !answer.hasMore ? .last(answer.items) : Page(answer.items)
    }

    /// The answer as bytes: an array of `{"id":…,"text":…}`, or an object with the status of a refusal.
    public func rawAnswer(for request: PageRequest) -> RawAnswer {
        let answer = answer(request)
        let body =
            answer.status == 200
            ? "[" + answer.items.map { $0.json(ids: rules.idForm) }.joined(separator: ",") + "]"
            : #"{"error":\#(answer.status)}"#
        return RawAnswer(
            status: answer.status, headers: ["Content-Type": "application/json; charset=utf-8"], body: Data(body.utf8))
    }

    /// ``page(for:)`` as a feed's fetch closure.
    public var fetchPage: @Sendable (PageRequest) async throws -> Page<Item> {
        { try self.page(for: $0) }
    }

    /// ``rawAnswer(for:)`` as a feed's fetch closure.
    public var fetchRaw: @Sendable (PageRequest) async throws -> RawAnswer {
        { self.rawAnswer(for: $0) }
    }
}

extension SimulatedFeedServer.Item {
    func json(ids form: SimulatedFeedServer.Rules.IDForm) -> String {
        let id = form == .numbers && DecimalID.isCanonical(itemID) ? id : id.jsonString
        return #"{"id":\#(id),"text":\#(text.jsonString)}"#
    }
}

extension String {
    /// The text as a JSON string: what RFC 8259 section 7 requires to be escaped is, and nothing else.
    var jsonString: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
