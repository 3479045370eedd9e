import Foundation
import LarderKit

@testable import LarderHTTPCache

/// The smallest cache that the rules can run: whole exchanges without a network, a store or a clock.
struct ScriptedCache {
    enum OriginAnswer {
        case answer(HTTPResponseHead, body: String)
        case unreachable
    }

    struct Outcome {
        var status: Int
        var headers: HeaderFields
        var body: String
        /// What went to the origin, in order.
        var sent: [HTTPRequestHead] = []
        /// The answer was in the cache, confirmed or not.
        var isStored = false
        var serving: Serving?
    }

    struct Entry {
        var answer: StoredAnswer
        var body: String
    }

    var kind: CacheKind
    var now = Noon.date
    var rules: [OfflineRule] = []
    var isOffline = false
    var client: String?
    var entries: [String: [Entry]] = [:]

    typealias Origin = (HTTPRequestHead) -> OriginAnswer

    mutating func send(_ request: HTTPRequestHead, _ origin: Origin) -> Outcome {
        let key = HTTPRules.key(of: request.url) ?? ""
        let found = entries[key] ?? []
        switch HTTPRules.plan(request, found.map(\.answer), context(request)) {
        case .refuse: return Outcome(status: 504, headers: [:], body: "")
        case .serve(let serving):
            var outcome = deliver(found[serving.index], serving)
            guard serving.revalidates else { return outcome }
            let asking = HTTPRules.revalidation(
                of: serving.index, request, found.map(\.answer), context(request))
            var unconditional = request
            unconditional.method = "GET"
            unconditional.headers = [:]
            outcome.sent = ask(asking, unconditional, key, origin).sent
            return outcome
        case .ask(let asking): return ask(asking, request, key, origin)
        }
    }

    private func context(_ request: HTTPRequestHead) -> ReuseContext {
        ReuseContext(
            kind: kind, now: now, rule: .first(of: rules, for: request.url), isOffline: isOffline, client: client)
    }

    private func deliver(_ entry: Entry, _ serving: Serving) -> Outcome {
        let head = HTTPRules.response(entry.answer, as: serving.form, now: now)
        let bytes = Array(entry.body.utf8)[HTTPRules.bytes(of: serving.form, in: entry.answer)]
        return Outcome(
            status: head.status, headers: head.headers, body: String(decoding: bytes, as: UTF8.self), isStored: true,
            serving: serving)
    }

    private mutating func ask(_ asking: Asking, _ request: HTTPRequestHead, _ key: String, _ origin: Origin) -> Outcome
    {
        let sent = HTTPRequestHead(method: request.method, url: request.url, headers: asking.headers)
        var outcome = judge(origin(sent), asking, request, key, origin)
        outcome.sent.insert(sent, at: 0)
        return outcome
    }

    private mutating func judge(
        _ answer: OriginAnswer, _ asking: Asking, _ request: HTTPRequestHead, _ key: String, _ origin: Origin
    ) -> Outcome {
        let found = entries[key] ?? []
        guard case .answer(let head, let body) = answer else {
            return asking.ifUnreachable.map { deliver(found[$0.index], $0) }
                ?? Outcome(status: 504, headers: [:], body: "")
        }
        if HTTPRules.isFailure(head.status), let serving = asking.ifFails {
            return deliver(found[serving.index], serving)
        }
        if head.status == 304, let index = asking.validates {
            let fresh = HTTPRules.freshened(
                found[index].answer, by: head, asked: now, received: now, to: request)
            guard let fresh, let form = HTTPRules.form(for: request, of: fresh) else {
                return ask(Asking(reason: .miss, headers: HTTPRules.endToEnd(request.headers)), request, key, origin)
            }
            if HTTPRules.mayKeep(freshenedBy: head, to: request, kind) { entries[key]?[index].answer = fresh }
            return deliver(Entry(answer: fresh, body: found[index].body), Serving(index: index, form: form))
        }
        if head.status == 206, let resumption = asking.resumes {
            let entry = found[resumption.index]
            guard
                let whole = HTTPRules.continues(
                    entry.answer, by: head, from: resumption.from, asked: now, received: now, to: request)
            else {
                return ask(Asking(reason: .miss, headers: HTTPRules.endToEnd(request.headers)), request, key, origin)
            }
            let completed = Entry(answer: whole, body: entry.body + body)
            entries[key]?[resumption.index] = completed
            return deliver(completed, Serving(index: resumption.index))
        }
        take(head, body, request, key)
        return Outcome(status: head.status, headers: HTTPRules.endToEnd(head.headers), body: body)
    }

    /// What an answer that goes to the client does to what is stored.
    private mutating func take(_ head: HTTPResponseHead, _ body: String, _ request: HTTPRequestHead, _ key: String) {
        for other in HTTPRules.invalidated(by: head, to: request) {
            for index in (entries[other] ?? []).indices { entries[other]?[index].answer.isInvalidated = true }
        }
        let context = context(request)
        if request.method == "HEAD", head.status == 200 {
            for (index, entry) in (entries[key] ?? []).enumerated()
            where HTTPRules.matches(entry.answer, request.headers)
                && (entry.answer.client == nil || entry.answer.client == client)
            {
                if let fresh = HTTPRules.updated(
                    entry.answer, byHead: head, asked: now, received: now, to: request)
                {
                    guard HTTPRules.mayKeep(freshenedBy: head, to: request, kind) else { continue }
                    entries[key]?[index].answer = fresh
                } else {
                    entries[key]?[index].answer.isInvalidated = true
                }
            }
        }
        let plan = HTTPRules.store(head, to: request, asked: now, received: now, ignoredVary: [], context)
        guard case .store(var new) = plan else { return supersede(head, request, key, context) }
        new.size = body.utf8.count
        guard let new = HTTPRules.settled(new) else { return supersede(head, request, key, context) }
        let others = entries[key] ?? []
        guard !others.contains(where: { HTTPRules.succession(of: $0.answer, by: new) == .preferred }) else { return }
        entries[key] =
            others.filter { HTTPRules.succession(of: $0.answer, by: new) == .kept } + [Entry(answer: new, body: body)]
    }

    private mutating func supersede(
        _ head: HTTPResponseHead, _ request: HTTPRequestHead, _ key: String, _ context: ReuseContext
    ) {
        for (index, entry) in (entries[key] ?? []).enumerated()
        where HTTPRules.supersedes(head, entry.answer, to: request, context) {
            entries[key]?[index].answer.isInvalidated = true
        }
    }
}
