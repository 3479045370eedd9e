import LarderHTTPCache

/// What `proxy`, `warm` and `explain` have in common: how the HTTP cache judges.
struct HTTPCacheOptions: Sendable, Hashable {
    private static let shared = Option.flag(
        "shared", help: "cache for several users (RFC 9111's shared cache; default)")
    private static let `private` = Option.flag(
        "private", help: "cache for one user: what is marked private is kept as well")
    private static let rule = Option.repeated(
        "rule", "HOST/PATH=WHAT", help: "go further than HTTP allows when the origin is away; see below")
    private static let noVary = Option.repeated(
        "no-vary", "FIELD", help: "a request field that does not tell answers apart, whatever Vary says")

    /// Those of who judges what is stored.
    static let judging = [shared, `private`, rule]
    /// Those of who stores as well.
    static let all = judging + [noVary]

    static let rules = CommandSpec.Table(
        title: "Rules:",
        rows: [
            ("keep-no-store", "store what is marked no-store, for when the origin is away"),
            ("serve-unvalidated", "serve what must-revalidate or no-cache forbid when the origin is away"),
            ("for=TIME", "as long as the answer is not older than this, such as 7d"),
        ])

    /// As it was said; `nil` where nothing was.
    let kind: CacheKind?
    let rules: [OfflineRule]
    /// In small letters.
    let ignoredVary: Set<String>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        guard !(arguments.has(Self.shared) && arguments.has(Self.private)) else {
            throw UsageError("--shared and --private exclude each other")
        }
        kind = arguments.has(Self.private) ? .private : arguments.has(Self.shared) ? .shared : nil
        var rules: [OfflineRule] = []
        for text in arguments.all(Self.rule) { rules.append(try OfflineRule(argument: text)) }
        self.rules = rules
        var ignored: Set<String> = []
        for name in arguments.all(Self.noVary) {
            guard RequestHeaders.isToken(name) else {
                throw UsageError("--no-vary takes the name of a request field, such as Cookie, not '\(name)'")
            }
            ignored.insert(name.lowercased())
        }
        ignoredVary = ignored
    }

    func cacheOptions(memoryLimit: Int) -> HTTPCache.Options {
        HTTPCache.Options(
            kind: kind ?? .shared, rules: rules, ignoredVary: ignoredVary, memoryLimit: memoryLimit)
    }
}
