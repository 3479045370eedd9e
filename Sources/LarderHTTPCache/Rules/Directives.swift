internal import LarderKit

/// What an answer's `Cache-Control` says to a cache of one kind, read once (RFC 9111 section 5.2.2, RFC 5861, RFC 8246).
///
/// To a shared cache a `CDN-Cache-Control` that can be read speaks in place of `Cache-Control` and `Expires`, wholly (RFC 9213
/// section 2.2).
struct AnswerDirectives: Sendable, Hashable {
    var maxAge: Int?
    /// Only for a shared cache; a private one is to ignore it.
    var sharedMaxAge: Int?
    var staleWhileRevalidate: Int?
    var staleIfError: Int?
    var noStore = false
    var noCache = false
    var isPrivate = false
    var isPublic = false
    var mustRevalidate = false
    var proxyRevalidate = false
    var mustUnderstand = false
    var isImmutable = false
    /// `Expires` is not to be looked at.
    var isTargeted = false

    init(_ headers: HeaderFields, _ kind: CacheKind) {
        if kind == .shared, let targeted = Self.targeted(headers) {
            self = targeted
            return
        }
        for directive in CacheControl(headers).directives { take(directive, kind) }
    }

    private init() {}

    private mutating func take(_ directive: CacheControl.Directive, _ kind: CacheKind) {
        // What cannot be read counts as zero: stale rather than guessed (RFC 9111 section 4.2.1).
        var seconds: Int { directive.argument.flatMap { DeltaSeconds.parse($0) } ?? 0 }
        switch directive.name {
        case "max-age": maxAge = maxAge ?? seconds
        case "s-maxage": if kind == .shared { sharedMaxAge = sharedMaxAge ?? seconds }
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? seconds
        case "stale-if-error": staleIfError = staleIfError ?? seconds
        default: take(flag: directive.name)
        }
    }

    private mutating func take(flag: String) {
        switch flag {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "private": isPrivate = true
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": isImmutable = true
        default: break
        }
    }

    /// `nil` where there is no such field, or none that says anything: then it is ignored.
    private static func targeted(_ headers: HeaderFields) -> AnswerDirectives? {
        guard let value = headers["CDN-Cache-Control"], let members = StructuredDictionary.parse(value),
            !members.isEmpty
        else { return nil }
        var directives = AnswerDirectives()
        directives.isTargeted = true
        for (name, value) in members {
            switch name {
            case "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error":
                guard case .integer(let number) = value else { return nil }
                directives.set(name, to: min(max(0, number), DeltaSeconds.limit))
            case "must-revalidate", "proxy-revalidate", "no-store", "public", "must-understand", "immutable":
                guard case .boolean(let isSet) = value else { return nil }
                if isSet { directives.take(flag: name) }
            case "no-cache", "private":
                // Either may name fields; that asks less, and the wider reading is allowed.
                if value != .boolean(false) { directives.take(flag: name) }
            default: break
            }
        }
        return directives
    }

    private mutating func set(_ name: String, to seconds: Int) {
        switch name {
        case "max-age": maxAge = seconds
        case "s-maxage": sharedMaxAge = seconds
        case "stale-while-revalidate": staleWhileRevalidate = seconds
        default: staleIfError = seconds
        }
    }
}

extension AnswerDirectives {
    /// `no-store` counts, unless it stands there for caches that do not know the status (RFC 9111 section 5.2.2.3).
    func forbidsStoring(status: Int) -> Bool {
        mustUnderstand ? !HTTPRules.isUnderstood(status) : noStore
    }

    /// A shared cache may hand it to everybody, whoever asked for it.
    var isForAll: Bool { isPublic || sharedMaxAge != nil }

    /// A shared cache may store it though it was asked for with `Authorization` (RFC 9111 section 3.5).
    var allowsAuthorised: Bool { isForAll || mustRevalidate }

    /// It may not be served stale, neither by a client's wish nor on an error (RFC 9111 section 4.2.4).
    func forbidsStale(_ kind: CacheKind) -> Bool {
        noCache || mustRevalidate || (kind == .shared && (proxyRevalidate || sharedMaxAge != nil))
    }
}

/// What a request asks of caches (RFC 9111 section 5.2.1); `Pragma: no-cache` where it says nothing (section 5.4).
struct RequestDirectives: Sendable, Hashable {
    var maxAge: Int?
    var minFresh: Int?
    /// `Int.max` for a staleness of any length.
    var maxStale: Int?
    var staleIfError: Int?
    var noCache = false
    var noStore = false
    var onlyIfCached = false

    init(_ headers: HeaderFields) {
        let control = CacheControl(headers)
        guard !control.directives.isEmpty else {
            if headers.values(of: "Pragma").contains(where: { CacheControl($0).noCache }) { noCache = true }
            return
        }
        maxAge = control.maxAge
        minFresh = control.seconds("min-fresh")
        if let directive = control.directives.first(where: { $0.name == "max-stale" }) {
            maxStale = directive.argument.map { DeltaSeconds.parse($0) ?? 0 } ?? .max
        }
        staleIfError = control.staleIfError
        noCache = control.noCache
        noStore = control.noStore
        onlyIfCached = control.contains("only-if-cached")
    }
}
