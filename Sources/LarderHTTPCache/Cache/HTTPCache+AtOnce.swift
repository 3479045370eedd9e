import LarderKit

package import struct Foundation.Data

/// An answer that lies in memory.
package struct HitAtOnce: Sendable {
    let answer: StoredAnswer
    let serving: Serving
    /// Of the held answers.
    package let index: Int
    package let body: Data
    /// In seconds.
    package let age: Int
    /// The value of `Cache-Status`.
    package let status: String
    package var isStale: Bool { serving.stale != nil }
    /// The stored answer as it is, whose head may be made once for all clients.
    package var isWhole: Bool { serving.form == .whole }
    /// The two fields that are different each time, as lines.
    package var extraFields: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        bytes.append(contentsOf: "Age: ".utf8)
        bytes.append(contentsOf: String(age).utf8)
        bytes.append(contentsOf: "\r\nCache-Status: ".utf8)
        bytes.append(contentsOf: status.utf8)
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }
}

extension HTTPCache {
    /// What is stored for a GET or HEAD, out of memory if it is there and still what the cache file holds; `nil` where nothing is.
    ///
    /// Costs a look at the cache file's state, and nothing of the disk where that has not changed.
    package func heldAnswers(of request: HTTPRequestHead) -> HeldAnswers? {
        guard request.method == "GET" || request.method == "HEAD", let key = HTTPRules.key(of: request.url),
            let held = try? shelf.held(key), !held.records.isEmpty
        else { return nil }
        return held
    }

    /// The answer to a request for what may be served without asking, without waiting for anything; `nil` for all else, which is for
    /// ``answer(_:body:client:policy:onInterim:)``. A body of up to a megabyte is read from the disk the first time.
    package func hit(_ request: HTTPRequestHead, in held: HeldAnswers, client: String?) -> HitAtOnce? {
        let context = context(of: request, client: client)
        guard let serving = serving(request, held, context) else { return nil }
        let record = held.records[serving.index]
        guard record.answer.size <= StoredBody.chunkSize, let whole = whole(record, serving.index, held) else {
            return nil
        }
        if held.keeping.isToBeNoted(at: Int(context.now.timeIntervalSince1970)),
            let key = HTTPRules.key(of: request.url)
        {
            // What is served from memory is in use, too: it does not go for room.
            let parts = shelf.chunkNames(of: record.body, size: record.answer.size)
            shelf.storage.noteUse([AnswerNames.answer(key, record.answer)] + parts)
        }
        let range = HTTPRules.bytes(of: serving.form, in: record.answer)
        let freshness = held.facts[serving.index]
        let facts = Self.facts(freshness, serving, now: context.now)
        return HitAtOnce(
            answer: record.answer, serving: serving, index: serving.index,
            body: whole[(whole.startIndex + range.lowerBound)..<(whole.startIndex + range.upperBound)],
            age: Int(max(0, min(freshness.age(at: context.now), 2_147_483_648))),
            status: HTTPRules.cacheStatus(facts))
    }

    private func serving(_ request: HTTPRequestHead, _ held: HeldAnswers, _ context: ReuseContext) -> Serving? {
        if held.answers.count == 1, HTTPRules.isPlainlyFresh(request, held.answers[0], held.facts[0], context) {
            return Serving(index: 0)
        }
        guard case .serve(let serving) = HTTPRules.plan(request, held.answers, held.facts, context),
            !serving.revalidates
        else { return nil }
        return serving
    }

    /// The head of a hit without its `Age` and `Cache-Status`.
    package func head(of hit: HitAtOnce) -> HTTPResponseHead {
        var head = HTTPRules.response(hit.answer, as: hit.serving.form, now: hit.answer.receivedAt)
        head.headers = HeaderFields(head.headers.fields.filter { !$0.name.lowercased().elementsEqual("age") })
        return head
    }

    /// A body of one chunk at most, kept in memory from now on.
    private func whole(_ record: AnswerRecord, _ index: Int, _ held: HeldAnswers) -> Data? {
        switch record.body {
        case .inline(let data): return data
        case .chunks(let id, _):
            let data = try? held.keeping.body(index) { () throws(LarderError) in try shelf.chunk(id, 0) }
            return data.flatMap { $0.count == record.answer.size ? $0 : nil }
        }
    }
}
