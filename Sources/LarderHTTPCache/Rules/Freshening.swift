internal import LarderKit

package import struct Foundation.Date

extension HTTPRules {
    /// The stored answer that a 304 to our own condition confirms, freshened by its fields (RFC 9111 sections 4.3.4 and 3.2);
    /// `nil` where it names another state of the content, so that the whole is to be asked for, without conditions.
    ///
    /// Taken generously: servers drop the weakness of a tag when they do not compress a 304, or leave tags out. Tags confirm
    /// when they are equal by weak comparison; then the stored one stays, since it is of the stored bytes. With no tag to
    /// compare, a different `Last-Modified` denies; with none of that either, the 304 itself confirms.
    ///
    /// - Parameters:
    ///   - request: The client's fields, for a `Vary` that has changed, and for whose the answer is.
    package static func freshened(
        _ stored: StoredAnswer, by response: HTTPResponseHead, asked: Date, received: Date,
        to request: HTTPRequestHead? = nil, ignoredVary: Set<String> = []
    ) -> StoredAnswer? {
        guard response.status == 304, confirms(response.headers, stored, received) else { return nil }
        var fresh = refreshed(stored, by: response.headers, to: request, asked: asked, received: received)
        guard let request, response.headers.has("Vary") else { return fresh }
        if let names = selectingNames(of: fresh.headers, ignoring: ignoredVary) {
            fresh.variant = variant(of: request.headers, names: names)
        } else {
            fresh.isInvalidated = true
        }
        return fresh
    }

    /// Whether what a 304 or the answer to a HEAD has freshened is stored. Where not, it is for the client alone that asked: the
    /// fields may be of its account (RFC 9111 section 3.5).
    package static func mayKeep(
        freshenedBy response: HTTPResponseHead, to request: HTTPRequestHead, _ kind: CacheKind
    ) -> Bool {
        kind == .private || !request.headers.has("Authorization")
            || AnswerDirectives(response.headers, kind).allowsAuthorised
    }

    private static func confirms(_ headers: HeaderFields, _ stored: StoredAnswer, _ received: Date) -> Bool {
        if let own = EntityTag(stored.headers) {
            guard let tag = EntityTag(headers) else { return true }
            return tag.matchesWeakly(own)
        }
        return agree(headers, stored.headers, on: "Last-Modified", received)
    }

    /// The same by the 200 to a HEAD request (RFC 9111 section 4.3.5); `nil` where length or validators say that it is another one,
    /// which is then to count as invalidated. Other statuses change nothing. The cookies of a HEAD are not those of the GET.
    package static func updated(
        _ stored: StoredAnswer, byHead response: HTTPResponseHead, asked: Date, received: Date,
        to request: HTTPRequestHead? = nil
    ) -> StoredAnswer? {
        guard response.status == 200, stored.status == 200 || stored.status == 206 else { return stored }
        if let length = statedLength(of: response.headers) {
            guard length == stored.part.map({ $0.total ?? length }) ?? stored.size else { return nil }
        }
        if let tag = EntityTag(response.headers), let own = EntityTag(stored.headers) {
            guard tag.matchesWeakly(own) else { return nil }
        }
        guard agree(response.headers, stored.headers, on: "Last-Modified", received),
            response.headers["Content-Encoding"] == stored.headers["Content-Encoding"]
        else { return nil }
        return refreshed(
            stored, by: response.headers.without(["set-cookie"]), to: request, asked: asked, received: received)
    }

    /// The answer whole once the rest of it has come: the bytes from `first` on to the end (RFC 9111 section 3.4, RFC 9110
    /// section 15.3.7.3). `nil` unless both are of one state of the content by a strong validator, and the one ends where the
    /// other starts: then the whole is to be asked for.
    package static func continues(
        _ stored: StoredAnswer, by response: HTTPResponseHead, from first: Int, asked: Date, received: Date,
        to request: HTTPRequestHead? = nil
    ) -> StoredAnswer? {
        guard response.status == 206, let held = stored.part, !stored.isMisstated, held.first == 0,
            first == stored.size,
            let rest = StoredAnswer.Part(contentRange: response.headers), rest.first == first, let total = rest.total,
            rest.last == total - 1, held.total == nil || held.total == total
        else { return nil }
        let other = StoredAnswer(
            status: 206, headers: response.headers, requestedAt: asked, receivedAt: received, size: rest.count,
            part: rest)
        guard sharesStrongValidator(stored, other), statedLength(of: response.headers) ?? rest.count == rest.count
        else {
            return nil
        }
        let whole = refreshed(stored, by: response.headers, to: request, asked: asked, received: received)
        return completed(whole, size: total)
    }

    /// What is stored once its body has come and its size is known: a part that turned out to be the whole as the whole; `nil`
    /// for what is not worth storing, and for a whole of another length than was said.
    package static func settled(_ stored: StoredAnswer) -> StoredAnswer? {
        guard let part = stored.part else {
            return statedLength(of: stored.headers) ?? stored.size == stored.size ? stored : nil
        }
        guard 1...part.count ~= stored.size else { return nil }
        guard part.first == 0, part.total == part.count, !stored.isMisstated else { return stored }
        return completed(stored, size: stored.size)
    }

    private static func statedLength(of headers: HeaderFields) -> Int? {
        headers.first("Content-Length").flatMap { Decimal.parse($0) }
    }

    private static func completed(_ stored: StoredAnswer, size: Int) -> StoredAnswer {
        var whole = stored
        whole.status = 200
        whole.reason = ""
        whole.part = nil
        whole.size = size
        whole.headers = stored.headers.without(["content-range", "content-length"])
        whole.headers.append(name: "Content-Length", value: String(size))
        return whole
    }

    /// With the fields of a newer answer in place of the stored ones; what describes the stored bytes stays.
    private static func refreshed(
        _ stored: StoredAnswer, by headers: HeaderFields, to request: HTTPRequestHead?, asked: Date, received: Date
    ) -> StoredAnswer {
        var exempt = ofTheBytes
        if stored.headers.has("ETag") { exempt.insert("etag") }
        if stored.client == nil { exempt.insert("set-cookie") }
        let newer = dated(endToEnd(headers), received).without(exempt)
        // An age counts from when it was received.
        let older = stored.headers.without(Set(newer.fields.map { $0.name.lowercased() }).union(["age"]))
        var fresh = stored
        fresh.headers = HeaderFields(older.fields + newer.fields)
        fresh.requestedAt = asked
        fresh.receivedAt = received
        fresh.isInvalidated = false
        if let request, request.headers.has("Authorization") { fresh.isOfAuthorised = true }
        return fresh
    }

    private static let ofTheBytes: Set = ["content-encoding", "content-length", "content-range"]

    private static func agree(_ one: HeaderFields, _ other: HeaderFields, on name: String, _ now: Date) -> Bool {
        guard let value = one.first(name), let own = other.first(name), value != own else { return true }
        guard let date = HTTPDate.parse(value, now: now) else { return false }
        return date == HTTPDate.parse(own, now: now)
    }
}
