public import LarderKit

import struct Foundation.Data

extension HTTPCache {
    /// Answers a request from what is stored, from the origin, or both.
    ///
    /// - Parameters:
    ///   - request: What is asked, with the client's own fields.
    ///   - body: What to send with it; ended where it is not sent.
    ///   - client: Who asks, for answers that a shared cache hands to one client alone, since they set cookies.
    ///   - policy: What is tried, and in which order.
    ///   - onInterim: Told of interim answers (1xx) of the origin that come before the answer. Who waits for another's exchange is
    ///     told of none.
    /// - Throws: Where the origin did not answer, and nothing may be served instead. An origin's error status is an answer.
    public func answer(
        _ request: HTTPRequestHead, body: HTTPRequestBody? = nil, client: String? = nil,
        policy: HTTPCachePolicy = .standard,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void = { _ in }
    ) async throws(FetchFailure) -> HTTPAnswer {
        let inquiry = Inquiry(
            cache: self, request: request, key: key(of: request, hasBody: body != nil), body: body, client: client,
            onInterim: onInterim)
        do {
            let answer = try await inquiry.answer(policy)
            return answer
        } catch {
            body?.pipe.abandon()
            throw error
        }
    }
}

extension HTTPCache {
    /// What is stored for a request; `nil` where nothing may be. A GET with a body asks for something else than its URI says
    /// (RFC 9110 section 9.3.1).
    private func key(of request: HTTPRequestHead, hasBody: Bool) -> String? {
        hasBody && ["GET", "HEAD"].contains(request.method) ? nil : HTTPRules.key(of: request.url)
    }
}

/// One request of one client, on its way to its answer.
struct Inquiry: Sendable {
    let cache: HTTPCache
    let request: HTTPRequestHead
    let key: String?
    let body: HTTPRequestBody?
    let client: String?
    let onInterim: @Sendable (HTTPResponseHead) -> Void

    var shelf: Shelf { cache.shelf }

    func answer(_ policy: HTTPCachePolicy) async throws(FetchFailure) -> HTTPAnswer {
        switch policy {
        case .standard:
            return try await answer(context: cache.context(of: request, client: client))
        case .cacheOnly:
            var context = cache.context(of: request, client: client)
            context.isOffline = true
            return try await answer(context: context)
        case .networkFirst(let patience):
            return try await answer(within: patience)
        }
    }

    // MARK: As RFC 9111 has it

    private func answer(context: ReuseContext, joins: Int = 2) async throws(FetchFailure) -> HTTPAnswer {
        let records = try stored()
        switch HTTPRules.plan(request, records.map(\.answer), context) {
        case .refuse:
            return refusal()
        case .serve(let serving):
            // First, so that what comes in its place leaves it to who reads it.
            let answer = try serve(records, serving, context)
            if serving.revalidates { revalidate(serving.index, records, context) }
            return answer
        case .ask(let asking):
            return try await ask(asking, records, context, joins: joins)
        }
    }

    /// What is stored, without what has lost parts of its body. Trouble with the disk costs the cache, and no answer.
    private func stored() throws(FetchFailure) -> [AnswerRecord] {
        guard let key else { return [] }
        do throws(LarderError) {
            return try shelf.records(key).filter { shelf.isWhole($0) }
        } catch {
            if case .signedOut = error { throw FetchFailure(.other, "the account was signed out of") }
            return []
        }
    }

    private func stamp(_ records: [AnswerRecord]) -> Int64 {
        shelf.storage.stamp(after: records.map(\.stamp).max() ?? 0)
    }

    private func run(
        _ exchange: Exchange, _ asking: Asking, _ records: [AnswerRecord], _ context: ReuseContext
    ) {
        let run = ExchangeRun(
            cache: cache, key: key, exchange: exchange, asking: asking, records: records, body: body,
            context: context, onInterim: onInterim)
        exchange.begin { [cache, key] in
            await run.run()
            if let key { cache.exchanges.end(exchange, key) }
        }
    }

    private func ask(
        _ asking: Asking, _ records: [AnswerRecord], _ context: ReuseContext, joins: Int
    ) async throws(FetchFailure) -> HTTPAnswer {
        let make = {
            let exchange = Exchange(request, stamp: stamp(records), isInBackground: false)
            exchange.join()
            return exchange
        }
        guard let key, asking.isShareable, joins > 0 else {
            return try await lead(make(), asking, records, context)
        }
        switch cache.exchanges.place(key, make) {
        case .alone:
            return try await lead(make(), asking, records, context)
        case .lead(let exchange):
            return try await lead(exchange, asking, records, context)
        case .join(let exchange):
            return try await follow(exchange, asking, records, context, joins: joins)
        }
    }

    private func lead(
        _ exchange: Exchange, _ asking: Asking, _ records: [AnswerRecord], _ context: ReuseContext
    ) async throws(FetchFailure) -> HTTPAnswer {
        run(exchange, asking, records, context)
        let lease = Interest(exchange)
        if let late = try await late(exchange, asking, records, context) { return late }
        switch await exchange.outcome() {
        case .failure(let failure):
            return try stale(after: failure, asking, records, context)
        case .success(.confirmed(let record, let head)):
            if let answer = confirmed(record, head, asking) { return answer }
            // It holds and does not serve: the origin is asked for what the client wants, as if nothing were stored.
            guard case .ask(let whole) = HTTPRules.plan(request, [], context) else { return refusal() }
            return try await ask(whole, [], context, joins: 0)
        case .success(.answer(var head, let spool, let stored, let reason)):
            var facts = CacheStatusFacts()
            facts.forwarded = asking.reason
            facts.forwardStatus = head.status
            facts.isStored = stored != nil
            facts.detail = reason?.rawValue
            // A client's own condition, where ours went out in its place.
            if let stored, stored.status == 200, asking.validates != nil || asking.resumes != nil {
                if HTTPRules.form(for: request, of: stored) != .whole {
                    return try await afterwards(exchange, head, asking, context)
                }
                if asking.resumes != nil {
                    let whole = HTTPRules.response(stored, as: .whole, now: context.now)
                    head = HTTPRules.settingCookies(of: head, whole)
                }
            }
            return try taken(spool, head, facts, lease)
        }
    }

    /// What is served where the origin takes too long to say anything, if something may be.
    private func late(
        _ exchange: Exchange, _ asking: Asking, _ records: [AnswerRecord], _ context: ReuseContext
    ) async throws(FetchFailure) -> HTTPAnswer? {
        guard let patience = cache.options.patience, let serving = asking.ifUnreachable else { return nil }
        if await exchange.hasHead(within: patience, on: shelf.storage.clock) { return nil }
        // The next one finds it in the cache.
        exchange.keepGoing()
        return try serve(
            records, serving, now(context), after: (asking.reason, FetchFailure(.timedOut, "the origin is slow")))
    }

    /// What the client wanted of an answer that has been stored meanwhile, whether or not that may be used again.
    private func afterwards(
        _ exchange: Exchange, _ head: HTTPResponseHead, _ asking: Asking, _ context: ReuseContext
    ) async throws(FetchFailure) -> HTTPAnswer {
        await exchange.finished()
        if let record = try stored().first(where: { $0.stamp == exchange.stamp }),
            var answer = confirmed(record, head, asking)
        {
            answer.source = .origin
            return answer
        }
        // It could not be stored, or does not serve: the origin is asked for what the client wants, as if nothing were.
        let context = now(context)
        guard case .ask(let whole) = HTTPRules.plan(request, [], context) else { return refusal() }
        return try await ask(whole, [], context, joins: 0)
    }

    /// Waits for somebody else's exchange, and takes its answer if that fits.
    private func follow(
        _ exchange: Exchange, _ asking: Asking, _ records: [AnswerRecord], _ context: ReuseContext, joins: Int
    ) async throws(FetchFailure) -> HTTPAnswer {
        let lease = Interest(exchange)
        if let late = try await late(exchange, asking, records, context) { return late }
        switch await exchange.outcome() {
        case .failure(let failure):
            if Task.isCancelled { throw failure }
            // Each would meet the same; but the one that led may have been cancelled, or have had something to serve instead.
            if case .server = failure.kind, asking.ifFails == nil { break }
            guard failure.kind != .other else { break }
            return try stale(after: failure, asking, records, context)
        case .success(.confirmed):
            return try await answer(context: now(context), joins: 0)
        case .success(.answer(_, let spool, let stored?, _)):
            // One answer for many is reuse: it has to be allowed (RFC 9111 section 4).
            guard case .serve(let serving) = HTTPRules.plan(request, [stored], now(context)), serving.stale == nil
            else { break }
            guard serving.form == .whole, request.method == "GET" else {
                await exchange.finished()
                break
            }
            var facts = CacheStatusFacts()
            facts.forwarded = asking.reason
            facts.isCollapsed = true
            facts.isStored = true
            let head = HTTPRules.response(stored, as: .whole, now: stored.receivedAt)
            if let answer = try? taken(spool, head, facts, lease) { return answer }
        case .success(.answer(_, _, nil, _)):
            break
        }
        return try await answer(context: now(context), joins: 0)
    }

    private func now(_ context: ReuseContext) -> ReuseContext {
        var context = context
        context.now = shelf.storage.clock.now()
        return context
    }

    /// In the background, unless that is under way (RFC 5861 section 3).
    private func revalidate(_ index: Int, _ records: [AnswerRecord], _ context: ReuseContext) {
        guard let key else { return }
        let asking = HTTPRules.revalidation(of: index, request, records.map(\.answer), context)
        let exchange = cache.exchanges.background(key) {
            Exchange(request, stamp: stamp(records), isInBackground: true)
        }
        if let exchange { run(exchange, asking, records, context) }
    }

    // MARK: Network first

    private func answer(within patience: Duration) async throws(FetchFailure) -> HTTPAnswer {
        let context = cache.context(of: request, client: client)
        let records = try stored()
        var offline = context
        offline.isOffline = true
        guard case .serve(let serving) = HTTPRules.plan(request, records.map(\.answer), offline), let key else {
            return try await answer(context: context)
        }
        var asking = HTTPRules.revalidation(of: serving.index, request, records.map(\.answer), context)
        asking.ifFails = serving
        asking.ifUnreachable = serving
        let make = {
            let exchange = Exchange(request, stamp: stamp(records), isInBackground: true)
            exchange.join()
            return exchange
        }
        switch asking.isShareable ? cache.exchanges.place(key, make) : .alone {
        case .join(let exchange):
            let lease = Interest(exchange)
            defer { withExtendedLifetime(lease) {} }
            guard await exchange.isOver(within: patience, on: shelf.storage.clock) else { break }
            // Whatever it was that another asked, what is stored now may serve, or the origin is asked for this.
            return try await answer(context: now(context), joins: 0)
        case .lead(let exchange):
            run(exchange, asking, records, context)
            return try await led(exchange, asking, records, serving, patience)
        case .alone:
            let exchange = make()
            run(exchange, asking, records, context)
            return try await led(exchange, asking, records, serving, patience)
        }
        return try serve(records, serving, context)
    }

    /// The answer to an exchange of one's own if it comes in time, or what is stored.
    private func led(
        _ exchange: Exchange, _ asking: Asking, _ records: [AnswerRecord], _ serving: Serving, _ patience: Duration
    ) async throws(FetchFailure) -> HTTPAnswer {
        let lease = Interest(exchange)
        let isOver = await exchange.isOver(within: patience, on: shelf.storage.clock)
        let context = cache.context(of: request, client: client)
        guard isOver, let outcome = exchange.outcomeSoFar else { return try serve(records, serving, context) }
        switch outcome {
        case .failure:
            return try serve(records, serving, context)
        case .success(.confirmed(let record, let head)):
            if let answer = confirmed(record, head, asking) { return answer }
            return try serve(records, serving, context)
        case .success(.answer(let head, let spool, let stored, _)):
            // The origin failed in the middle of it.
            guard stored == nil || spool.isWhole else { return try serve(records, serving, context) }
            var facts = CacheStatusFacts()
            facts.forwarded = asking.reason
            facts.forwardStatus = head.status
            facts.isStored = stored != nil
            return try taken(spool, head, facts, lease)
        }
    }
}

/// Wants an exchange for as long as it lives.
final class Interest: Sendable {
    private let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    deinit { exchange.leave() }
}
