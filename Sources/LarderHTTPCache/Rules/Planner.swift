internal import LarderKit

internal import struct Foundation.Date

/// Finds the plan for one GET or HEAD.
struct Planner {
    struct Candidate {
        let index: Int
        let stored: StoredAnswer
        let facts: FreshnessFacts
    }

    let request: HTTPRequestHead
    let wishes: RequestDirectives
    let context: ReuseContext
    let stored: [StoredAnswer]
    /// What this request selects and this client may have, the latest first.
    let candidates: [Candidate]
    private let isVaryMiss: Bool

    init(_ request: HTTPRequestHead, _ stored: [StoredAnswer], _ facts: [FreshnessFacts], _ context: ReuseContext) {
        self.request = request
        self.context = context
        self.stored = stored
        wishes = RequestDirectives(request.headers)
        let selected = zip(stored.indices, facts).lazy
            .filter { HTTPRules.matches(stored[$0.0], request.headers) }
            .map { Candidate(index: $0.0, stored: stored[$0.0], facts: $0.1) }
        let found = Array(selected)
        isVaryMiss = found.isEmpty
        candidates =
            found
            .filter { $0.stored.client == nil || $0.stored.client == context.client }
            .sorted { ($0.facts.date, $0.facts.receivedAt) > ($1.facts.date, $1.facts.receivedAt) }
    }

    private var now: Date { context.now }

    func plan() -> ReusePlan {
        guard !HTTPRules.isForOriginAlone(request.headers) else {
            return context.isOffline
                ? .refuse : .ask(Asking(reason: .bypass, headers: HTTPRules.endToEnd(request.headers)))
        }
        let isPassed = wishes.noStore && !wishes.onlyIfCached && !context.isOffline
        if !isPassed, let (chosen, form) = chosen {
            if isFreshEnough(chosen) { return .serve(Serving(index: chosen.index, form: form)) }
            if let serving = unasked(chosen, form) { return .serve(serving) }
        }
        if context.isOffline {
            return fallback(.offline, isAnswered: false).map { .serve($0) } ?? .refuse
        }
        return wishes.onlyIfCached ? .refuse : .ask(asking)
    }

    /// The latest that can answer the request, fresh or not (RFC 9111 section 4).
    var chosen: (Candidate, Serving.Form)? {
        for candidate in candidates where !candidate.facts.isBarred {
            if let form = HTTPRules.form(for: request, of: candidate.stored) { return (candidate, form) }
        }
        return nil
    }

    /// Fresh, and as the client wants it (RFC 9111 section 5.2.1). Reloading is no reason to ask for what never changes, in a
    /// cache of one's own (RFC 8246 section 2).
    private func isFreshEnough(_ candidate: Candidate) -> Bool {
        let facts = candidate.facts
        guard facts.isReusable(at: now), !wishes.noCache else { return false }
        if let minimum = wishes.minFresh, facts.lifetime - facts.age(at: now) < Double(minimum) { return false }
        let isReloadIdle = context.kind == .private && facts.directives.isImmutable
        return isReloadIdle || isYoungEnough(facts)
    }

    private func isYoungEnough(_ facts: FreshnessFacts) -> Bool {
        wishes.maxAge.map { $0 > 0 && facts.age(at: now) <= Double($0) } ?? true
    }

    /// Stale, and to be used without asking first: for a while by the origin's word, or by the client's.
    private func unasked(_ candidate: Candidate, _ form: Serving.Form) -> Serving? {
        let facts = candidate.facts
        guard !facts.isInvalidated, !facts.forbidsStale, !wishes.noCache, wishes.minFresh == nil, isYoungEnough(facts)
        else { return nil }
        let staleness = facts.staleness(at: now)
        guard staleness >= 0 else { return nil }
        var serving = Serving(index: candidate.index, form: form)
        if let window = facts.directives.staleWhileRevalidate, staleness <= Double(window) {
            serving.stale = context.isOffline ? .offline : .whileRevalidate
            serving.revalidates = !context.isOffline && !wishes.onlyIfCached
            return serving
        }
        guard let limit = wishes.maxStale, limit == .max || staleness <= Double(limit) else { return nil }
        serving.stale = .maxStale
        return serving
    }

    /// What is served when the origin cannot be asked, or fails.
    ///
    /// - Parameters:
    ///   - isAnswered: It has answered, with a failure: that is passed on unless `stale-if-error` allows more.
    func fallback(_ reason: Serving.StaleReason, isAnswered: Bool) -> Serving? {
        for candidate in candidates + plain {
            // Several ranges would be put together by the origin; the whole holds them too.
            let whole: Serving.Form? = candidate.stored.part == nil ? .whole : nil
            guard let form = HTTPRules.form(for: request, of: candidate.stored) ?? whole else { continue }
            var serving = Serving(index: candidate.index, form: form, stale: reason)
            if isAllowed(candidate.facts, isAnswered: isAnswered) { return serving }
            if isAllowedByRule(candidate) {
                serving.isByRule = true
                return serving
            }
            // What the origin's latest word has replaced does not come back.
            if !candidate.facts.isBarred { return nil }
        }
        return nil
    }

    /// What is stored without a coding, and differs in nothing but what codings the client would take: better than nothing, and
    /// every client reads it unless it says otherwise (RFC 9110 section 12.5.3).
    private var plain: [Candidate] {
        stored.indices.compactMap { index -> Candidate? in
            let answer = stored[index]
            guard !HTTPRules.matches(answer, request.headers), HTTPRules.admitsPlain(answer, request.headers),
                answer.client == nil || answer.client == context.client
            else { return nil }
            return Candidate(index: index, stored: answer, facts: FreshnessFacts(answer, context.kind))
        }
    }

    private func isAllowed(_ facts: FreshnessFacts, isAnswered: Bool) -> Bool {
        guard !facts.isBarred, !facts.isInvalidated, !facts.directives.noCache else { return false }
        let isFresh = facts.isFresh(at: now)
        guard isFresh || !facts.forbidsStale else { return false }
        let windows = [facts.directives.staleIfError, wishes.staleIfError].compactMap { $0 }
        if windows.contains(where: { isFresh || facts.staleness(at: now) <= Double($0) }) { return true }
        return !isAnswered && (isFresh || facts.directives.staleIfError == nil)
    }

    private func isAllowedByRule(_ candidate: Candidate) -> Bool {
        guard let rule = context.rule, !candidate.facts.isInvalidated, !candidate.facts.isOfOneAccount,
            rule.holds(receivedAt: candidate.facts.receivedAt, now: now)
        else { return false }
        return candidate.stored.isKeptByRule ? rule.keepsNoStore : rule.servesUnvalidated && !candidate.facts.isBarred
    }

    /// Why the origin is asked.
    var reason: Asking.Reason {
        if stored.isEmpty { return .uriMiss }
        if isVaryMiss { return .varyMiss }
        if let (chosen, _) = chosen { return chosen.facts.isReusable(at: now) ? .request : .stale }
        let usable = candidates.filter { !$0.facts.isBarred }
        guard !usable.isEmpty else { return .miss }
        return usable.allSatisfy { $0.stored.part != nil } ? .partial : .bypass
    }
}
