import LarderHTTPCache

/// What an app asks of an HTTP cache beside the request, in the words of cases.
enum WebPolicy: Sendable, Hashable {
    case cache(HTTPCachePolicy)
    /// The request says it itself.
    case directive(String)

    private static let plain: [String: WebPolicy] = [
        "cacheFirst": .cache(.standard), "standard": .cache(.standard), "cacheOnly": .cache(.cacheOnly),
        "networkFirst": .cache(.networkFirst(patience: .seconds(3))), "networkOnly": .directive("no-cache"),
    ]

    /// The policy under `name`, or `nil` where there is none.
    init?(_ name: String, in fields: ScriptFields) throws(CaseFailure) {
        if case .object = fields[name] {
            let policy = try fields.fields(name, known: ["networkFirst"])
            let seconds = try policy?.fields("networkFirst", known: ["timeout"])?.seconds("timeout")
            guard let seconds else { throw fields.mismatch(name, "a policy of an HTTP cache") }
            self = .cache(.networkFirst(patience: .seconds(seconds)))
        } else {
            guard let policy = try fields.word(name, of: Self.plain) else { return nil }
            self = policy
        }
    }
}
