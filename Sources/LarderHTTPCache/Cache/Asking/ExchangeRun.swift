import LarderKit

import struct Foundation.Data
import struct Foundation.Date

/// Brings one request to the origin and settles what comes of it: what is stored, freshened, removed, and handed to takers.
struct ExchangeRun: Sendable {
    let cache: HTTPCache
    /// What it is stored under; `nil` where nothing is.
    let key: String?
    let exchange: Exchange
    let asking: Asking
    /// What was stored when this was decided; `asking` speaks of it by number.
    let records: [AnswerRecord]
    let body: HTTPRequestBody?
    let context: ReuseContext
    let onInterim: @Sendable (HTTPResponseHead) -> Void

    private var shelf: Shelf { cache.shelf }
    private var request: HTTPRequestHead { exchange.request }

    func run() async {
        do throws(FetchFailure) {
            try await ask(asking, mayRepeat: body == nil)
        } catch {
            exchange.settle(.failure(error))
        }
        body?.pipe.abandon()
    }

    private func ask(_ asking: Asking, mayRepeat: Bool) async throws(FetchFailure) {
        let clock = shelf.storage.clock
        let asked = clock.now()
        let outgoing = HTTPRequestHead(method: request.method, url: request.url, headers: asking.headers)
        let response = try await cache.transport.send(outgoing, body: body, onInterim: onInterim)
        let times = Times(asked: asked, received: clock.now())
        var head = response.head
        head.headers = HTTPRules.endToEnd(head.headers)

        if HTTPRules.isFailure(head.status), asking.ifFails != nil {
            response.body.abandon()
            throw FetchFailure(.server(status: head.status), "the origin answered \(head.status)")
        }
        if head.status == 304, let index = asking.validates {
            response.body.abandon()
            guard let answer = freshened(records[index], by: head, times) else {
                // It speaks of something else. Asked without conditions, it has to say what it has.
                guard mayRepeat else { throw Self.unasked }
                return try await ask(unconditional, mayRepeat: false)
            }
            await confirm(records[index], as: answer, head)
            return
        }
        if head.status == 304, !request.headers.fields.contains(where: { HTTPRules.isCondition($0.name) }) {
            // The client has nothing that this could speak of.
            response.body.abandon()
            throw Self.unasked
        }
        if let resumption = asking.resumes, head.status == 206 || head.status == 416 {
            guard head.status == 206,
                let whole = HTTPRules.continues(
                    records[resumption.index].answer, by: head, from: resumption.from, asked: times.asked,
                    received: times.received, to: request)
            else {
                response.body.abandon()
                guard mayRepeat else { throw Self.unasked }
                return try await ask(unconditional, mayRepeat: false)
            }
            await deliver(response, head, storing: whole, after: records[resumption.index])
            return
        }
        if request.method == "HEAD" { await update(by: head, times) }
        await cache.note(head, to: request)
        switch plan(head, times) {
        case .store(let answer): await deliver(response, head, storing: answer)
        case .pass(let reason):
            await retire(by: head)
            await deliver(response, head, storing: nil, reason)
        }
    }

    private struct Times {
        let asked: Date
        let received: Date
    }

    /// The request as it would be with nothing stored.
    private var unconditional: Asking {
        guard case .ask(let asking) = HTTPRules.plan(request, [], context) else {
            return Asking(reason: .miss, headers: HTTPRules.endToEnd(request.headers))
        }
        return asking
    }

    private static var unasked: FetchFailure {
        FetchFailure(.wrongAnswer, "the origin said that nothing has changed of something else")
    }

    private func plan(_ head: HTTPResponseHead, _ times: Times) -> StorePlan {
        guard key != nil else { return .pass(.method) }
        let plan = HTTPRules.store(
            head, to: request, asked: times.asked, received: times.received, ignoredVary: cache.options.ignoredVary,
            context)
        if case .store(let answer) = plan,
            records.contains(where: { HTTPRules.succession(of: $0.answer, by: answer) == .preferred })
        {
            return .pass(.worse)
        }
        return plan
    }
}

// MARK: What is stored already

extension ExchangeRun {
    private func freshened(_ record: AnswerRecord, by head: HTTPResponseHead, _ times: Times) -> StoredAnswer? {
        HTTPRules.freshened(
            record.answer, by: head, asked: times.asked, received: times.received, to: request,
            ignoredVary: cache.options.ignoredVary)
    }

    /// What is stored holds. Where that cannot be written down, it is served all the same.
    private func confirm(_ old: AnswerRecord, as answer: StoredAnswer, _ head: HTTPResponseHead) async {
        var record = old
        record.answer = answer
        record.stamp = exchange.stamp
        if let key, HTTPRules.mayKeep(freshenedBy: head, to: request, context.kind) {
            await keep(record, inPlaceOf: old, for: key)
        }
        exchange.settle(.success(.confirmed(record, head)))
    }

    /// A HEAD tells of a stored GET that it holds, or that it does not (RFC 9111 section 4.3.5).
    private func update(by head: HTTPResponseHead, _ times: Times) async {
        guard let key, head.status == 200 else { return }
        let mayKeep = HTTPRules.mayKeep(freshenedBy: head, to: request, context.kind)
        for record in records where HTTPRules.matches(record.answer, request.headers) {
            guard record.answer.client == nil || record.answer.client == context.client else { continue }
            var record = record
            if let answer = HTTPRules.updated(
                record.answer, byHead: head, asked: times.asked, received: times.received, to: request)
            {
                guard mayKeep else { continue }
                record.answer = answer
                record.stamp = exchange.stamp
                _ = try? await shelf.put(record, for: key)
            } else {
                try? await shelf.storage.invalidate(AnswerNames.answers(key))
            }
        }
    }

    /// An answer that is not stored may say that what is stored is over.
    private func retire(by head: HTTPResponseHead) async {
        guard let key else { return }
        for record in records where HTTPRules.supersedes(head, record.answer, to: request, context) {
            try? await shelf.remove(record, for: key, upTo: exchange.stamp)
        }
    }

    /// Stores what is freshened, in its place, also where that has another name now.
    private func keep(_ record: AnswerRecord, inPlaceOf old: AnswerRecord, for key: String) async {
        guard (try? await shelf.put(record, for: key)) == true else { return }
        let (name, earlier) = (AnswerNames.answer(key, record.answer), AnswerNames.answer(key, old.answer))
        guard name != earlier else { return }
        try? await shelf.storage.remove([earlier], upTo: exchange.stamp)
    }
}

// MARK: What is on its way

extension ExchangeRun {
    /// Hands an answer's body to those who take it, and stores it on the way.
    ///
    /// - Parameters:
    ///   - answer: What it is stored as; `nil` where it is not.
    ///   - prefix: A record whose body comes before what the origin sends.
    private func deliver(
        _ response: HTTPIncomingResponse, _ head: HTTPResponseHead, storing answer: StoredAnswer?,
        after prefix: AnswerRecord? = nil, _ reason: StorePlan.Reason? = nil
    ) async {
        let announced = head.headers.values(of: "Content-Length").first.flatMap { Int($0) }
        let isStoring = answer != nil && announced ?? 0 <= cache.largestBody
        // The answer to an unsafe request is of the time after what it has changed.
        let stamp = request.method == "GET" ? exchange.stamp : shelf.storage.stamp(after: exchange.stamp)
        var storing =
            isStoring
            ? BodyStoring(shelf, stamp: stamp, limit: cache.largestBody, isOwn: answer?.client != nil) : nil
        let spool = BodySpool(shelf, isStoring: isStoring)
        // What may never end is not taken for nobody.
        if isStoring, announced != nil { exchange.keepGoing() }
        exchange.begins(spool)
        if let key, asking.isShareable, isStoring || ![.status, .requestNoStore].contains(reason) {
            cache.exchanges.note(key, isShared: isStoring)
        }
        exchange.settle(
            .success(
                .answer(
                    head, spool, stored: isStoring ? answer : nil,
                    notStored: isStoring ? nil : reason ?? .size)))
        do throws(FetchFailure) {
            if let prefix {
                let reader = StoredBodyReader(shelf, prefix.body, 0..<prefix.answer.size)
                while let data = try await reader.next() {
                    guard await take(data, spool, &storing) else { break }
                }
            }
            var isWanted = exchange.isWanted
            while isWanted, let data = try await response.body.next() {
                isWanted = await take(data, spool, &storing)
            }
            guard isWanted else {
                response.body.abandon()
                throw FetchFailure(.other, "nobody wants the answer any more")
            }
            exchange.keepGoing()
            if prefix != nil, let answer, let storing, !Self.isWhole(answer, storing.size) {
                throw FetchFailure(.wrongAnswer, "the rest of the body is not as long as the origin said")
            }
            if let answer, let whole = storing { await store(whole, as: answer, stamp, spool) }
            spool.finish(.success(()))
        } catch {
            response.body.abandon()
            if let storing { spool.storeNoMore(storing) }
            spool.finish(.failure(error))
        }
    }

    private static func isWhole(_ answer: StoredAnswer, _ size: Int) -> Bool {
        var answer = answer
        answer.size = size
        return HTTPRules.settled(answer) != nil
    }

    /// - Returns: Whether more is wanted.
    private func take(_ data: Data, _ spool: BodySpool, _ storing: inout BodyStoring?) async -> Bool {
        if var writer = storing {
            do throws(LarderError) {
                try await writer.take(data)
                storing = writer
                spool.stored(writer.stored, in: writer.place)
            } catch {
                // It cannot be stored, or not to its end. It is an answer all the same, for those who are there.
                spool.storeNoMore(writer)
                exchange.begins(spool)
                storing = nil
            }
        }
        return await spool.append(data)
    }

    /// Removes what the answer took the place of, and the oldest where too many variants of one thing are kept.
    private func tidy(around record: AnswerRecord, _ key: String) async {
        let name = AnswerNames.answer(key, record.answer)
        let others = records.filter { AnswerNames.answer(key, $0.answer) != name }
        let earlier = records.filter { AnswerNames.answer(key, $0.answer) == name }
        await shelf.carryPin(of: name, from: earlier, to: record)
        await shelf.removeBodies(of: earlier)
        let replaced = others.filter { HTTPRules.succession(of: $0.answer, by: record.answer) == .replaced }
        let kept = others.filter { HTTPRules.succession(of: $0.answer, by: record.answer) != .replaced }
        let surplus = kept.count >= Self.variants ? kept.sorted { $0.stamp < $1.stamp }.prefix(kept.count / 4) : []
        for record in replaced + surplus { try? await shelf.remove(record, for: key, upTo: exchange.stamp) }
    }

    /// How many answers are kept for one URI.
    private static let variants = 64

    private func store(_ writer: BodyStoring, as answer: StoredAnswer, _ stamp: Int64, _ spool: BodySpool) async {
        var writer = writer
        var answer = answer
        answer.size = writer.size
        // A part that is not what it said it is would be served as something else.
        guard let key, let answer = HTTPRules.settled(answer) else { return spool.storeNoMore(writer) }
        do throws(LarderError) {
            let body = try await writer.end()
            let record = AnswerRecord(answer: answer, stamp: stamp, body: body)
            guard try await shelf.put(record, for: key) else { return spool.storeNoMore(writer) }
            await tidy(around: record, key)
        } catch {
            spool.storeNoMore(writer)
        }
    }
}
