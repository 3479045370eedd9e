internal import struct Foundation.Date

/// What becomes of a stored answer when another is to be stored under its URI.
package enum Succession: Sendable, Hashable {
    /// The new one takes its place.
    case replaced
    /// Both are stored.
    case kept
    /// It is the better one: the new one is not stored.
    case preferred
}

extension HTTPRules {
    /// What becomes of `old` when `new` is to be stored under the same URI.
    ///
    /// "Still computing" (202) and failures never take the place of a success, a part never that of the whole it is of, and
    /// what a rule keeps never that of what may be used without one.
    package static func succession(of old: StoredAnswer, by new: StoredAnswer) -> Succession {
        guard old.variant == new.variant, new.client == nil || new.client == old.client else { return .kept }
        guard old.isKeptByRule || !new.isKeptByRule else { return .kept }
        let isSuccess = 200..<300 ~= old.status && old.status != 202
        if isSuccess, !old.isInvalidated, !old.isKeptByRule, new.status == 202 || isFailure(new.status) {
            return .preferred
        }
        guard let newPart = new.part, !old.isInvalidated else { return .replaced }
        guard sharesStrongValidator(old, new) else {
            // A whole whose part it may be is of use until it is known to be of something else.
            return old.part == nil && mayBeOfOne(old, new) ? .kept : .replaced
        }
        guard let oldPart = old.part else { return .preferred }
        if newPart.first <= oldPart.first, newPart.last >= oldPart.last { return .replaced }
        return newPart.first >= oldPart.first && newPart.last <= oldPart.last ? .preferred : .kept
    }

    /// Whether the origin's answer, though it is not stored, says that `old` is over, so that it counts as invalidated: it is
    /// gone, moved for good, or now something else.
    ///
    /// Failures, refusals and passing redirects say nothing of it. Neither does an answer that is not to be stored, while `old`
    /// is fresh. A 200 to a HEAD is judged by ``updated(_:byHead:asked:received:)``.
    package static func supersedes(
        _ response: HTTPResponseHead, _ old: StoredAnswer, to request: HTTPRequestHead, _ context: ReuseContext
    ) -> Bool {
        guard request.method == "GET" || request.method == "HEAD", matches(old, request.headers),
            old.client == nil || old.client == context.client
        else { return false }
        switch response.status {
        case 404, 410: return true
        case 206:
            guard let tag = EntityTag(response.headers), let own = EntityTag(old.headers) else { return false }
            return !tag.matchesWeakly(own)
        case 200, 201, 203, 204, 205, 300, 301, 308:
            guard request.method == "GET" else { return response.status >= 300 }
            return !FreshnessFacts(old, context.kind).isReusable(at: context.now)
        default: return false
        }
    }

    /// Whether no validator tells them apart.
    private static func mayBeOfOne(_ one: StoredAnswer, _ other: StoredAnswer) -> Bool {
        if let tag = EntityTag(one.headers), let otherTag = EntityTag(other.headers) {
            return tag.matchesWeakly(otherTag)
        }
        guard let modified = lastModified(one), let otherModified = lastModified(other) else { return true }
        return modified == otherModified
    }

    /// Whether both are of one state of the content, byte for byte (RFC 9110 section 8.8.1).
    static func sharesStrongValidator(_ one: StoredAnswer, _ other: StoredAnswer) -> Bool {
        switch (EntityTag(one.headers), EntityTag(other.headers)) {
        case (let tag?, let otherTag?): return tag.matchesStrongly(otherTag)
        case (nil, nil):
            guard let modified = lastModified(one), isStrongDate(one), isStrongDate(other) else { return false }
            return modified == lastModified(other)
        default: return false
        }
    }
}
