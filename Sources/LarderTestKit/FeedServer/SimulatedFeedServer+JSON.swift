import LarderKit

extension SimulatedFeedServer.Item {
    func json(ids form: SimulatedFeedServer.Rules.IDForm) -> String {
        let id = form == .numbers && DecimalID.isCanonical(itemID) ? id : id.jsonString
        return #"{"id":\#(id),"text":\#(text.jsonString)}"#
    }
}

extension SimulatedFeedServer.Answer {
    func json(_ rules: SimulatedFeedServer.Rules) -> String {
        guard status == 200 else { return #"{"error":\#(status)}"# }
        let items = "[" + items.map { $0.json(ids: rules.idForm) }.joined(separator: ",") + "]"
        guard rules.continuations == .cursor else { return items }
        let next = if case .cursor(let cursor) = next { cursor.jsonString } else { "null" }
        return #"{"items":\#(items),"next_cursor":\#(next)}"#
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
