import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

/// Fetches URLs into an HTTP cache, several at once, each with the redirects it leads through.
struct Warming: Sendable {
    let cache: HTTPCache
    let transport: WarmTransport
    let inspector: AnswerInspector
    let headers: HeaderFields
    let isPinning: Bool
    let parallel: Int

    /// How many redirects are followed from one URL.
    static let redirectLimit = 10

    /// - Parameters:
    ///   - isStopped: Asked before each URL is begun.
    ///   - progress: Hears of what is under way.
    /// - Returns: What became of each URL, in their order, redirects behind what led to them.
    func run(
        _ urls: [String], isStopped: @escaping @Sendable () -> Bool,
        progress: @escaping @Sendable (WarmTally) -> Void
    ) async -> [WarmResult] {
        let work = Work(urls)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<min(parallel, max(1, urls.count)) {
                group.addTask {
                    while !isStopped(), !transport.isSpent, let (index, url) = work.next() {
                        let results = await warm(url, work) { progress(work.tally(adding: $0)) }
                        progress(work.end(index, results))
                    }
                }
            }
        }
        return work.results
    }

    /// One URL, and what it leads to.
    private func warm(_ url: String, _ work: Work, _ onBytes: @escaping @Sendable (Int) -> Void) async -> [WarmResult] {
        var results: [WarmResult] = []
        var (next, headers): (String?, HeaderFields) = (url, headers)
        while let url = next {
            let (result, location) = await step(url, headers, onBytes)
            results.append(result)
            next = nil
            guard let location, let target = Self.target(location, from: url) else { continue }
            guard results.count <= Self.redirectLimit else {
                results.append(
                    WarmResult(url: target.url, outcome: .failed, reason: "there are too many redirects before it"))
                break
            }
            guard !results.contains(where: { HTTPRules.key(of: $0.url) == HTTPRules.key(of: target.url) }) else {
                results[results.count - 1].outcome = .failed
                results[results.count - 1].reason = "it redirects in circles"
                break
            }
            // Another URL's turn, or one that was here.
            guard work.claim(target.url) else { continue }
            if !Self.isSameOrigin(target, url) { headers = Self.withoutSecrets(headers) }
            next = target.url
        }
        return results
    }

    private func step(
        _ url: String, _ headers: HeaderFields, _ onBytes: @escaping @Sendable (Int) -> Void
    ) async -> (WarmResult, location: String?) {
        let started = Date()
        var request = HTTPRequestHead(url: url, headers: headers)
        var result = WarmResult(url: url, outcome: .failed)
        do throws(FetchFailure) {
            var answer = try await cache.answer(request)
            if answer.source == .cache, answer.isStale, transport.failure(url) == nil {
                // It is being asked for in the background; here that is waited for.
                answer.body.abandon()
                request.headers.append(name: "Cache-Control", value: "max-age=0")
                answer = try await cache.answer(request)
            }
            result.status = answer.head.status
            try await settle(answer, of: request, since: started, &result, onBytes)
            let isRedirect = [301, 302, 303, 307, 308].contains(answer.head.status)
            return (result, isRedirect ? answer.head.headers["Location"] : nil)
        } catch {
            fail(&result, error.explanation)
            return (result, nil)
        }
    }

    private func fail(_ result: inout WarmResult, _ reason: String) {
        result.outcome = transport.isTooLarge(result.url) ? .left : .failed
        result.reason = reason
    }

    /// Takes the answer, and finds out what became of it.
    private func settle(
        _ answer: HTTPAnswer, of request: HTTPRequestHead, since started: Date, _ result: inout WarmResult,
        _ onBytes: @Sendable (Int) -> Void
    ) async throws(FetchFailure) {
        let isAnnounced = answer.head.headers["Content-Length"] != nil
        switch answer.source {
        case .cache where answer.isStale:
            answer.body.abandon()
            return fail(
                &result,
                "\(transport.failure(request.url)?.explanation ?? "the origin failed"); what is stored stays")
        case .cache, .revalidated:
            answer.body.abandon()
            result.outcome = answer.source == .cache ? .fresh : .revalidated
        case .origin:
            while let piece = try await answer.body.next() {
                result.bytes += piece.count
                if !isAnnounced { transport.note(unannounced: piece.count) }
                onBytes(piece.count)
            }
            result.outcome = .fetched
        }
        result.vary = HTTPRules.varyNames(of: answer.head.headers, ignoring: cache.options.ignoredVary) ?? []
        guard answer.head.status < 400 else { return fail(&result, "the server answered \(answer.head.status)") }
        let stored = ((try? inspector.answers(of: request.url)) ?? []).filter {
            HTTPRules.matches($0.answer, request.headers) && (try? inspector.isWhole($0)) == true
        }
        let isStored = stored.contains { answer.source != .origin || $0.answer.receivedAt >= started }
        guard isStored else {
            result.outcome = .notStored
            result.reason = reason(answer, request)
            return
        }
        guard isPinning else { return }
        do throws(LarderError) {
            try await inspector.pin(stored, true)
            result.isPinned = true
        } catch {
            fail(&result, "it is stored, and could not be pinned")
        }
    }

    private func reason(_ answer: HTTPAnswer, _ request: HTTPRequestHead) -> String {
        let rule = OfflineRule.first(of: cache.options.rules, for: request.url)
        let now = Date()
        let plan = HTTPRules.store(
            answer.head, to: request, asked: now, received: now, ignoredVary: cache.options.ignoredVary,
            ReuseContext(kind: cache.options.kind, now: now, rule: rule))
        if case .pass(let reason) = plan { return reason.sentence }
        return answer.isBeingStored
            ? "there was no room for it, or the disk did not take it" : StorePlan.Reason.size.sentence
    }

    private static func target(_ location: String, from url: String) -> Endpoint? {
        URL(string: location, relativeTo: URL(string: url)).flatMap { try? Endpoint($0.absoluteString) }
    }

    private static func isSameOrigin(_ target: Endpoint, _ url: String) -> Bool {
        (try? Endpoint(url))?.origin == target.origin
    }

    /// Credentials are for the origin they were given for.
    private static func withoutSecrets(_ headers: HeaderFields) -> HeaderFields {
        HeaderFields(headers.fields.filter { !SecretName.isSecret($0.name) })
    }
}

/// What is to be done, and what has been.
///
/// State: the next URL and the results so far, under its lock.
private final class Work: Sendable {
    private struct State {
        var next = 0
        var claimed: Set<String>
        var results: [Int: [WarmResult]] = [:]
        var bytes = 0
    }

    private let urls: [String]
    private let state: Mutex<State>

    init(_ urls: [String]) {
        self.urls = urls
        state = Mutex(State(claimed: Set(urls.compactMap { HTTPRules.key(of: $0) })))
    }

    func next() -> (Int, String)? {
        state.withLock { state in
            guard state.next < urls.count else { return nil }
            defer { state.next += 1 }
            return (state.next, urls[state.next])
        }
    }

    /// - Returns: Whether nobody else has this URL to fetch.
    func claim(_ url: String) -> Bool {
        guard let key = HTTPRules.key(of: url) else { return false }
        return state.withLock { $0.claimed.insert(key).inserted }
    }

    func tally(adding bytes: Int) -> WarmTally {
        state.withLock { state in
            state.bytes += bytes
            return tally(state)
        }
    }

    func end(_ index: Int, _ results: [WarmResult]) -> WarmTally {
        state.withLock { state in
            state.results[index] = results
            return tally(state)
        }
    }

    private func tally(_ state: State) -> WarmTally {
        let failed = state.results.values.count { $0.contains { $0.outcome.isTrouble } }
        return WarmTally(ended: state.results.count, all: urls.count, failed: failed, bytes: state.bytes)
    }

    var results: [WarmResult] {
        state.withLock { state in
            urls.indices.flatMap { index in
                state.results[index] ?? [WarmResult(url: urls[index], outcome: .left)]
            }
        }
    }
}
