import LarderKit

import struct Foundation.Data
import struct Foundation.Date

extension Inquiry {
    /// From what is stored.
    func serve(
        _ records: [AnswerRecord], _ serving: Serving, _ context: ReuseContext,
        after failed: (reason: Asking.Reason, failure: FetchFailure)? = nil
    ) throws(FetchFailure) -> HTTPAnswer {
        let record = records[serving.index]
        let freshness = FreshnessFacts(record.answer, cache.options.kind)
        var facts = HTTPCache.facts(freshness, serving, now: context.now)
        if let failed {
            facts.isHit = false
            facts.forwarded = failed.reason
            if case .server(let status) = failed.failure.kind { facts.forwardStatus = status }
        }
        return build(record, serving.form, facts, source: .cache, isStale: serving.stale != nil, context)
    }

    /// From what is stored, which the origin has just said to hold; `nil` where that does not serve this request.
    func confirmed(_ record: AnswerRecord, _ head: HTTPResponseHead, _ asking: Asking) -> HTTPAnswer? {
        guard let form = HTTPRules.form(for: request, of: record.answer) else { return nil }
        let context = cache.context(of: request, client: client)
        var facts = CacheStatusFacts()
        facts.forwarded = asking.reason
        facts.forwardStatus = head.status
        facts.isStored = true
        var answer = build(record, form, facts, source: .revalidated, isStale: false, context)
        answer.head = HTTPRules.settingCookies(of: head, answer.head)
        return answer
    }

    /// The origin failed: what may stand in for its answer, or the failure.
    func stale(
        after failure: FetchFailure, _ asking: Asking, _ records: [AnswerRecord], _ context: ReuseContext
    ) throws(FetchFailure) -> HTTPAnswer {
        let isAnswered = if case .server = failure.kind { true } else { false }
        guard let serving = isAnswered ? asking.ifFails : asking.ifUnreachable, !Task.isCancelled else { throw failure }
        return try serve(records, serving, context, after: (asking.reason, failure))
    }

    private func build(
        _ record: AnswerRecord, _ form: Serving.Form, _ facts: CacheStatusFacts, source: HTTPAnswer.Source,
        isStale: Bool, _ context: ReuseContext
    ) -> HTTPAnswer {
        var head = HTTPRules.response(record.answer, as: form, now: context.now)
        cache.sign(&head, facts)
        let range = HTTPRules.bytes(of: form, in: record.answer)
        let body: HTTPBody
        if request.method == "HEAD" || range.isEmpty {
            body = HTTPBody(Data())
        } else if case .inline(let data) = record.body {
            body = HTTPBody(data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)])
        } else {
            body = HTTPBody(StoredBodyReader(shelf, record.body, range))
        }
        return HTTPAnswer(head: head, body: body, source: source, isStale: isStale)
    }

    /// An answer that is on its way from the origin.
    func taken(
        _ spool: BodySpool, _ head: HTTPResponseHead, _ facts: CacheStatusFacts, _ interest: Interest
    ) throws(FetchFailure) -> HTTPAnswer {
        guard let taker = spool.taker() else { throw FetchFailure(.other, "the beginning of the body is gone") }
        var head = head
        cache.sign(&head, facts)
        let body = HTTPBody(HeldSource(source: taker, interest: interest))
        var answer = HTTPAnswer(head: head, body: body, source: .origin, isStale: false)
        answer.isCollapsed = facts.isCollapsed
        answer.isBeingStored = facts.isStored
        return answer
    }

    /// 504, made by the cache (RFC 9111 section 5.2.1.7).
    func refusal() -> HTTPAnswer {
        var facts = CacheStatusFacts()
        facts.detail = cache.isOffline ? "offline" : "only-if-cached"
        let text = Data("Nothing is stored of this, and the origin is not to be asked.\n".utf8)
        var head = HTTPResponseHead(
            status: 504, reason: "Gateway Timeout",
            headers: [
                "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
                "Content-Length": String(text.count),
            ])
        cache.sign(&head, facts)
        let body = request.method == "HEAD" ? Data() : text
        return HTTPAnswer(head: head, body: HTTPBody(body), source: .cache, isStale: false)
    }
}

/// Keeps an exchange going for as long as its body is being taken.
private final class HeldSource: BodySource {
    private let source: any BodySource
    private let interest: Interest

    init(source: any BodySource, interest: Interest) {
        self.source = source
        self.interest = interest
    }

    func next() async throws(FetchFailure) -> Data? { try await source.next() }

    func abandon() { source.abandon() }
}

extension HTTPCache {
    static func facts(_ freshness: FreshnessFacts, _ serving: Serving, now: Date) -> CacheStatusFacts {
        var facts = CacheStatusFacts()
        facts.isHit = true
        facts.timeToLive = HTTPRules.timeToLive(freshness, now: now)
        facts.detail = serving.isByRule ? "offline-rule" : serving.stale?.rawValue
        return facts
    }

    /// Says in the head how the answer came about.
    func sign(_ head: inout HTTPResponseHead, _ facts: CacheStatusFacts) {
        head.headers.append(name: "Cache-Status", value: HTTPRules.cacheStatus(facts))
    }
}
