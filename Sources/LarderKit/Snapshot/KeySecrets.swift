import Foundation

/// Tells whether a key is a URL that says who someone is, or lets in whoever has it. It errs on the side of secrecy.
enum KeySecrets {
    static func areIn(_ key: String) -> Bool {
        namesUser(key) || hasSecretParameter(key)
    }

    /// What stands before an `@` in front of a host (RFC 3986 section 3.2.1).
    private static func namesUser(_ key: String) -> Bool {
        var rest = Substring(key)
        while let start = rest.range(of: "//") {
            rest = rest[start.upperBound...]
            if rest.prefix(while: { !"/?#\\".contains($0) }).contains("@") { return true }
        }
        return false
    }

    /// In the query or the fragment: some sign-ins put tokens in either.
    private static func hasSecretParameter(_ key: String) -> Bool {
        guard let start = key.firstIndex(where: { "?#".contains($0) }) else { return false }
        return key[start...].split(whereSeparator: { "?#&;".contains($0) }).contains { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, parts.count == 2, !parts[1].isEmpty else { return false }
            return SecretName.isSecret(name.removingPercentEncoding ?? String(name))
        }
    }
}
