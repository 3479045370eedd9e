package import LarderKit

extension HTTPRules {
    /// The names in an answer's `Vary`, in small letters, sorted, each once, `ignored` ones left out; `nil` where `*` is among them.
    package static func varyNames(of headers: HeaderFields, ignoring ignored: Set<String>) -> [String]? {
        var names: Set<String> = []
        for line in headers.values(of: "Vary") {
            for member in ListMembers.split(line) {
                if member == "*" { return nil }
                names.insert(member.lowercased())
            }
        }
        return names.subtracting(ignored.map { $0.lowercased() }).sorted()
    }

    /// The variant that `request` selects under these names.
    package static func variant(of request: HeaderFields, names: [String]) -> Variant {
        Variant(names.map { Variant.Field(name: $0, value: selectingValue(of: request, $0)) })
    }

    /// Whether an answer of this variant may serve the request (RFC 9111 section 4.1). More than equal variants: a stored
    /// `Content-Language` that is the request's first choice fits `Accept-Language`.
    package static func matches(_ stored: StoredAnswer, _ request: HeaderFields) -> Bool {
        stored.variant.fields.allSatisfy { field in
            let value = selectingValue(of: request, field.name)
            if value == field.value { return true }
            guard field.name == "accept-language", let language = stored.headers["Content-Language"] else {
                return false
            }
            return request[field.name].flatMap { Preferences($0) }?.firstChoice == language.lowercased()
        }
    }

    /// A field's value so that values that mean the same are the same, as far as that is sure: lines joined, no blanks around
    /// commas; the order of languages and codings that are equally welcome, and their case, make no difference.
    private static func selectingValue(of request: HeaderFields, _ name: String) -> String? {
        guard let value = request[name] else { return nil }
        switch name {
        case "cookie", "authorization", "proxy-authorization": return value
        case "accept-language", "accept-encoding": return Preferences(value)?.normalized ?? value
        default: return ListMembers.split(value).joined(separator: ", ")
        }
    }
}
