import LarderHTTPCache
import LarderKit
import Synchronization

import struct Foundation.Data
import struct Foundation.Date

/// Answers the requests of a front out of an HTTP cache: in the front's loop where the answer lies in memory, in a task
/// otherwise.
struct ProxyHandler: FrontHandler {
    let cache: HTTPCache
    let origins: OriginMap
    /// Absolute targets are taken: clients use this as their proxy.
    let isForward: Bool
    let address: ProxyAddress
    let name: ProxyName
    let counters: ProxyCounters
    let log: AccessLog?
    let pages: ProxyPages

    // MARK: In the loop

    func answerAtOnce(_ request: FrontRequest) -> FrontAnswer? {
        if let answer = ownAnswer(to: request) { return own(answer) }
        guard request.framing == .none, !isLoop(request), let url = url(of: request) else { return nil }
        // Fields are made where something may depend on them.
        let isPlain = request.isPlainGet
        let head = HTTPRequestHead(
            method: isPlain ? "GET" : request.method, url: url, headers: isPlain ? [:] : Self.fields(of: request))
        guard let held = cache.heldAnswers(of: head) else { return nil }
        let asked =
            isPlain && held.dependsOnFields
            ? HTTPRequestHead(method: "GET", url: url, headers: Self.fields(of: request)) : head
        guard let hit = cache.hit(asked, in: held, client: held.dependsOnClient ? Self.client(of: request) : nil) else {
            return nil
        }
        let result: ProxyResult = hit.isStale ? .stale : .hit
        counters.note(result)
        var answer: FrontAnswer
        if hit.isWhole {
            let heads = held.keeping.serialised.get { FrontHeads() }
            let whole = heads.head(hit.index) { FrontHead(cache.head(of: hit)) }
            answer = FrontAnswer(head: whole, extraFields: hit.extraFields, body: hit.body)
        } else {
            var answerHead = cache.head(of: hit)
            answerHead.headers.append(name: "Age", value: String(hit.age))
            answerHead.headers.append(name: "Cache-Status", value: hit.status)
            answer = FrontAnswer(answerHead, body: hit.body)
        }
        answer.note = result.rawValue
        return answer
    }

    /// What needs no origin, and no origin is asked for.
    private func ownAnswer(to request: FrontRequest) -> FrontAnswer? {
        guard request.form == .origin else { return nil }
        guard address.serves(request.authority) else { return .unknownHost(request.authority) }
        return request.path.hasPrefix("/.larder/") ? pages.answer(request) : nil
    }

    private func own(_ answer: FrontAnswer) -> FrontAnswer {
        counters.note(.own)
        var answer = answer
        answer.note = ProxyResult.own.rawValue
        return answer
    }

    // MARK: In a task

    func answer(_ request: FrontRequest, over exchange: FrontExchange) async {
        if let own = ownAnswer(to: request) { return answer(self.own(own), over: exchange) }
        guard let url = url(of: request) else { return answer(own(misdirected(request)), over: exchange) }
        guard !request.traits.contains(.upgrade) || request.framing == .none else {
            return answer(own(.plain(501, "This proxy does not change protocols.\n")), over: exchange)
        }
        guard !isLoop(request) else {
            return answer(own(.plain(508, "This request has come through here before.\n")), over: exchange)
        }
        let head = HTTPRequestHead(method: request.method, url: url, headers: Self.fields(of: request))
        do throws(FetchFailure) {
            let answer = try await cache.answer(
                head, body: request.framing == .none ? nil : exchange.takeBody(), client: Self.client(of: request),
                onInterim: { head in
                    var head = head
                    head.headers = HTTPRules.endToEnd(head.headers)
                    exchange.interim(head)
                })
            let result = Self.result(of: answer)
            counters.note(result)
            // Nobody was asked: the cache is offline, or the client wanted none to be.
            exchange.note(result == .failed ? "\(result.rawValue) offline" : result.rawValue)
            await send(answer, to: request, over: exchange)
        } catch {
            counters.note(.failed)
            exchange.note("\(ProxyResult.failed.rawValue) \(Self.word(for: error))")
            guard !Task.isCancelled else { return exchange.abort() }
            exchange.answer(failed(error))
        }
    }

    private func answer(_ answer: FrontAnswer, over exchange: FrontExchange) {
        if let note = answer.note { exchange.note(note) }
        exchange.answer(answer)
    }

    func didEnd(_ record: FrontRecord) {
        counters.bodyBytes.add(record.bodyBytes)
        guard let log else { return }
        let request = record.request
        let path = request?.path ?? ""
        let words = (record.note ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        let note = (first: words.first, last: words.dropFirst().first)
        log.note(
            AccessRecord(
                time: Date(), peer: record.peer, method: request?.method ?? "",
                // What stands behind it may be secret.
                target: path.contains("?") ? "\(path.prefix { $0 != "?" })?…" : path, status: record.status,
                bodyBytes: record.bodyBytes, duration: record.duration, isComplete: record.isComplete,
                result: record.refusal == nil ? note.first : "refused", detail: record.refusal?.reason ?? note.last))
    }

    /// A failure in a word.
    private static func word(for failure: FetchFailure) -> String {
        switch failure.kind {
        case .offline: "unreachable"
        case .timedOut: "timeout"
        case .wrongAnswer: "malformed"
        default: failure.kind.name
        }
    }

    private func send(_ answer: HTTPAnswer, to request: FrontRequest, over exchange: FrontExchange) async {
        let length = answer.head.headers.values(of: "Content-Length").first.flatMap { Int($0) }
        if request.method != "HEAD", let data = answer.body.data {
            return exchange.answer(FrontAnswer(answer.head, body: data))
        }
        exchange.begin(answer.head, length: length)
        if request.method == "HEAD" {
            answer.body.abandon()
            return exchange.end()
        }
        do throws(FetchFailure) {
            while let piece = try await answer.body.next() {
                guard await exchange.write(piece) else { return answer.body.abandon() }
            }
            exchange.end()
        } catch {
            // Less than was due: the client has to see that.
            exchange.abort()
        }
    }

    // MARK: What is asked

    private func url(of request: FrontRequest) -> String? {
        switch request.form {
        case .origin:
            return origins.url(authority: request.authority, path: request.path)
        case .absolute:
            if isForward,
                let url = origins.url(
                    absolute: request.authority, isSecure: request.isSecure, path: request.path)
            {
                return url
            }
            // Another program's URL is not to be answered by what stands here for all (RFC 9112 section 3.2.2).
            guard !request.isSecure, address.isMeant(by: request.authority) || origins.hasRoute(for: request.authority)
            else { return nil }
            return origins.url(authority: request.authority, path: request.path)
        case .asterisk:
            return nil
        }
    }

    /// The request's fields without what concerns this connection, and with the mark that it came through here.
    private static func fields(of request: FrontRequest) -> HeaderFields {
        var fields = HTTPRules.endToEnd(request.headers).fields.filter { !$0.name.isNamed("host") }
        fields.append(ProxyName.field(minorVersion: request.minorVersion))
        return HeaderFields(fields)
    }

    private func isLoop(_ request: FrontRequest) -> Bool { name.isLoop(request.values(of: "via")) }

    /// Who asks, as well as that can be told: the address, also where another proxy names it, the program, and what cookies and
    /// credentials it has.
    private static func client(of request: FrontRequest) -> String {
        let names: [StaticString] = [
            "user-agent", "cookie", "authorization", "forwarded", "x-forwarded-for", "x-real-ip",
        ]
        let facts = names.map { request.values(of: $0).joined(separator: ",") }
        return Digest128.text(of: ([request.peer] + facts).joined(separator: "\n"))
    }

    // MARK: What went wrong

    private func misdirected(_ request: FrontRequest) -> FrontAnswer {
        if request.form == .absolute {
            return .plain(
                421,
                isForward
                    ? "This proxy asks its own origins only, and this is none of them.\n"
                    : "This proxy stands before its own origins; start it with --forward to be used as a proxy.\n")
        }
        return .plain(request.form == .asterisk ? 501 : 404, "This proxy has no origin for this.\n")
    }

    private func failed(_ failure: FetchFailure) -> FrontAnswer {
        let status = failure.kind == .timedOut ? 504 : 502
        var answer = HTTPResponseHead(
            status: status,
            headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"])
        answer.headers.append(
            name: "Cache-Status", value: "Larder; fwd=miss; detail=origin-failed")
        return FrontAnswer(
            answer, body: Data("The origin gave no answer to pass on: \(failure.explanation)\n".utf8))
    }

    private static func result(of answer: HTTPAnswer) -> ProxyResult {
        switch answer.source {
        case .revalidated: .revalidated
        case .cache: answer.isStale ? .stale : (answer.head.status == 504 ? .failed : .hit)
        case .origin: answer.isCollapsed ? .collapsed : (answer.isBeingStored ? .miss : .pass)
        }
    }
}

/// The serialised heads of the answers that are held for one URI.
private final class FrontHeads: Sendable {
    private let heads = Mutex<[Int: FrontHead]>([:])

    func head(_ index: Int, _ make: () -> FrontHead) -> FrontHead {
        heads.withLock { heads in
            if let head = heads[index] { return head }
            let head = make()
            heads[index] = head
            return head
        }
    }
}

extension FrontAnswer {
    fileprivate static func unknownHost(_ authority: String) -> FrontAnswer {
        let host = HostName.of(authority: authority)
        return .plain(
            421,
            "This proxy serves programs of this machine, and '\(host)' is no name of it; to serve that host, start it with --host \(host)\n"
        )
    }

    /// A few words of the proxy's own.
    static func plain(_ status: Int, _ text: String) -> FrontAnswer {
        FrontAnswer(
            HTTPResponseHead(
                status: status,
                headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]),
            body: Data(text.utf8))
    }
}

extension String {
    fileprivate func isNamed(_ name: String) -> Bool { lowercased() == name }
}
