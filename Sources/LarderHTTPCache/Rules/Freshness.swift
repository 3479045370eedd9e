internal import LarderKit

package import struct Foundation.Date

/// What of a stored answer's fields decides about its use, read once, so that it can be kept beside it: no date is read twice.
///
/// Good for as long as the stored answer stays as it is.
package struct FreshnessFacts: Sendable, Hashable {
    /// For how long it is fresh, in seconds (RFC 9111 section 4.2.1).
    package let lifetime: Double
    /// Its age when it came (RFC 9111 section 4.2.3).
    package let initialAge: Double
    package let receivedAt: Date
    /// When the origin made it; when it came, where that cannot be read. The later of two answers counts.
    let date: Date
    let directives: AnswerDirectives
    /// It may not be served stale (RFC 9111 section 4.2.4).
    let forbidsStale: Bool
    /// Nothing allows to serve it, but an ``OfflineRule``.
    let isBarred: Bool
    /// It is one account's, and nobody knows whose: no ``OfflineRule`` serves it.
    let isOfOneAccount: Bool
    let isInvalidated: Bool

    package init(_ stored: StoredAnswer, _ kind: CacheKind) {
        let directives = AnswerDirectives(stored.headers, kind)
        let made = stored.headers["Date"].flatMap { HTTPDate.parse($0, now: stored.receivedAt) }
        self.directives = directives
        receivedAt = stored.receivedAt
        date = made ?? stored.receivedAt
        lifetime = Self.lifetime(
            stored.headers, status: stored.status, directives, made: date, receivedAt: stored.receivedAt)
        initialAge = Self.initialAge(stored, made: made)
        forbidsStale = directives.forbidsStale(kind)
        isBarred =
            stored.isKeptByRule || directives.forbidsStoring(status: stored.status)
            || (kind == .shared && directives.isPrivate)
            || (kind == .shared && stored.isOfAuthorised && !directives.allowsAuthorised)
        isOfOneAccount =
            kind == .shared
            && (stored.isOfAuthorised && !directives.isForAll || directives.isPrivate && stored.client == nil)
        isInvalidated = stored.isInvalidated
    }

    /// Its age in seconds, never below zero. Where the clock stands before the time of receipt, it is the age at receipt.
    package func age(at now: Date) -> Double {
        let resident = now.timeIntervalSince(receivedAt)
        guard resident.isFinite else { return .infinity }
        return initialAge + max(0, resident)
    }

    /// Whether the clock was set back since it was received, so that nobody knows how old it is. Within a second, it was not.
    func isFromTheFuture(at now: Date) -> Bool { !(now.timeIntervalSince(receivedAt) >= -1) }

    /// Whether it is fresh (RFC 9111 section 4.2); never for longer than ``lifetime``, whatever the clock does.
    package func isFresh(at now: Date) -> Bool { lifetime > age(at: now) && !isFromTheFuture(at: now) }

    /// Whether it may be used without asking, as far as the answer goes.
    package func isReusable(at now: Date) -> Bool {
        !isBarred && !isInvalidated && !directives.noCache && isFresh(at: now)
    }

    /// For how long it has been stale, in seconds; below zero for a fresh one, and without end where nobody knows.
    func staleness(at now: Date) -> Double { isFromTheFuture(at: now) ? .infinity : age(at: now) - lifetime }
}

extension FreshnessFacts {
    /// The longest that is guessed: a week.
    private static let longestGuess = 604_800.0

    static func lifetime(
        _ headers: HeaderFields, status: Int, _ directives: AnswerDirectives, made: Date, receivedAt: Date
    ) -> Double {
        if let seconds = directives.sharedMaxAge ?? directives.maxAge { return Double(seconds) }
        if !directives.isTargeted, let value = headers["Expires"] {
            // What is no date means "already over" (RFC 9111 section 5.3).
            guard let expires = HTTPDate.parse(value, now: receivedAt) else { return 0 }
            return finite(expires.timeIntervalSince(made))
        }
        guard HTTPRules.isHeuristicallyCacheable(status) || directives.isPublic,
            let modified = headers["Last-Modified"].flatMap({ HTTPDate.parse($0, now: receivedAt) })
        else { return 0 }
        return min(finite(made.timeIntervalSince(modified)) / 10, longestGuess)
    }

    private static func initialAge(_ stored: StoredAnswer, made: Date?) -> Double {
        let apparent = made.map { finite(stored.receivedAt.timeIntervalSince($0)) } ?? 0
        let said = stored.headers.first("Age").flatMap { Age.parse($0) } ?? 0
        return max(apparent, Double(said) + finite(stored.receivedAt.timeIntervalSince(stored.requestedAt)))
    }

    private static func finite(_ seconds: Double) -> Double { seconds.isFinite ? max(0, seconds) : 0 }
}

extension HTTPRules {
    /// The age of a stored answer in seconds, never below zero (RFC 9111 section 4.2.3).
    package static func age(of stored: StoredAnswer, now: Date) -> Double {
        FreshnessFacts(stored, .private).age(at: now)
    }

    /// For how long it is fresh, in seconds (RFC 9111 section 4.2.1, RFC 9213); zero where it does not say and may not be guessed.
    package static func lifetime(of stored: StoredAnswer, kind: CacheKind) -> Double {
        FreshnessFacts(stored, kind).lifetime
    }

    /// Statuses that may be guessed to be fresh for a time (RFC 9110 section 15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    /// Statuses whose meaning for caches is known here (RFC 9110 section 15, RFC 6585, RFC 8470, RFC 7725).
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...303, 307, 308, 400...417, 421, 422, 425, 426, 428, 429, 431, 451, 500...505, 511: true
        default: false
        }
    }
}

extension HeaderFields {
    /// The first line of a field.
    func first(_ name: String) -> String? {
        fields.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// Without all lines of these fields, whose names are in small letters.
    func without(_ names: Set<String>) -> HeaderFields {
        HeaderFields(fields.filter { !names.contains($0.name.lowercased()) })
    }

    func has(_ name: String) -> Bool { fields.contains { $0.name.equalsIgnoringCase(name) } }
}

extension String {
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && utf8.lazy.map(\.lowercasedASCII).elementsEqual(other.utf8.lazy.map(\.lowercasedASCII))
    }
}
