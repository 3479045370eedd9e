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

    /// The names that select an answer: those of its `Vary`, and `accept-encoding` where its body is coded, even if that is not
    /// named: who does not know the coding is not to get it.
    static func selectingNames(of headers: HeaderFields, ignoring ignored: Set<String>) -> [String]? {
        guard let names = varyNames(of: headers, ignoring: ignored) else { return nil }
        guard coding(of: headers) != nil, !names.contains("accept-encoding") else { return names }
        return (names + ["accept-encoding"]).sorted()
    }

    /// The coding of a body, if it is one that clients ask for.
    private static func coding(of headers: HeaderFields) -> String? {
        guard let coding = headers.first("Content-Encoding")?.lowercased() else { return nil }
        return ["gzip", "x-gzip", "br", "deflate", "zstd", "compress", "dcb", "dcz"].contains(coding) ? coding : nil
    }

    /// The variant that `request` selects under these names.
    package static func variant(of request: HeaderFields, names: [String]) -> Variant {
        Variant(names.map { Variant.Field(name: $0, value: selectingValue(of: request, $0)) })
    }

    /// Whether an answer of this variant may serve the request (RFC 9111 section 4.1). More than equal variants: a stored
    /// `Content-Language` that is the request's first choice fits `Accept-Language`, and a coding that the request knows fits
    /// where `Vary` does not name `Accept-Encoding`.
    package static func matches(_ stored: StoredAnswer, _ request: HeaderFields) -> Bool {
        stored.variant.fields.allSatisfy { field in
            let value = selectingValue(of: request, field.name)
            if value == field.value { return true }
            guard let wanted = request[field.name].flatMap({ Preferences($0) }) else { return false }
            switch field.name {
            case "accept-language":
                guard let language = stored.headers["Content-Language"] else { return false }
                return wanted.firstChoice == language.lowercased()
            case "accept-encoding":
                guard let coding = coding(of: stored.headers), wanted.welcomes(coding) else { return false }
                return varyNames(of: stored.headers, ignoring: [])?.contains("accept-encoding") == false
            default: return false
            }
        }
    }

    /// Whether an answer without a coding would serve the request, were it not for its `Accept-Encoding`.
    static func admitsPlain(_ stored: StoredAnswer, _ request: HeaderFields) -> Bool {
        guard stored.headers["Content-Encoding"] == nil, !refusesPlain(request["Accept-Encoding"] ?? "") else {
            return false
        }
        var plain = stored
        plain.variant = Variant(stored.variant.fields.filter { $0.name != "accept-encoding" })
        return matches(plain, request)
    }

    private static func refusesPlain(_ acceptEncoding: String) -> Bool {
        let members = acceptEncoding.lowercased().split(separator: ",").map { member in
            member.filter { $0 != " " && $0 != "\t" }.split(separator: ";")
        }
        func isRefused(_ name: String) -> Bool? {
            members.first { $0.first.map(String.init) == name }.map { member in
                member.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            }
        }
        return isRefused("identity") ?? isRefused("*") ?? false
    }

    /// A field's value so that values that mean the same are the same, as far as that is sure: lines joined, no blanks around
    /// commas; the order of languages and codings that are equally welcome, and their case, make no difference.
    private static func selectingValue(of request: HeaderFields, _ name: String) -> String? {
        guard let value = request[name] else { return nil }
        // Compared as a whole, and stored: not the secret itself.
        if SecretName.isSecret(name) { return Digest128.text(of: value) }
        switch name {
        case "accept-language", "accept-encoding": return Preferences(value)?.normalized ?? value
        default: return ListMembers.split(value).joined(separator: ", ")
        }
    }
}
