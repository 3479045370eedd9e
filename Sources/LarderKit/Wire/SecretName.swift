/// Tells by its name whether a header field or a parameter carries a secret. It errs on the side of secrecy.
package enum SecretName {
    package static func isSecret(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.contains { word in
            whole.contains(String(word)) || endings.contains { word.hasSuffix($0) }
        }
    }

    private static let whole: Set = [
        "auth", "authorization", "authentication", "bearer", "credential", "credentials", "jwt", "key", "pass", "pwd",
        "session", "sid", "sig", "signature",
    ]
    private static let endings = ["token", "apikey", "accesskey", "secret", "password", "cookie", "sessionid"]
}
