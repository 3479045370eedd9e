import LarderHTTPCache
import LarderKit
import Synchronization

/// How requests were answered, in the words of a log.
package enum ProxyResult: String, Sendable, Hashable, CaseIterable {
    /// Fresh, from the cache.
    case hit
    /// From the cache although not fresh: the origin is slow to ask, or failed, or is not to be asked.
    case stale
    /// From the cache, after the origin said that it still holds.
    case revalidated
    /// Another's request was waited for.
    case collapsed
    /// From the origin, and stored.
    case miss
    /// From the origin, and not stored.
    case pass
    /// No answer of the origin, and nothing to serve instead.
    case failed
    /// Refused by the proxy itself, or answered by it (`/.larder/`).
    case own
}

/// What a proxy has done since it began.
package struct ProxyCounts: Sendable, Hashable {
    package var results: [ProxyResult: Int] = [:]
    package var bodyBytes = 0
    /// Requests that went out.
    package var originRequests = 0
    /// Of those, which brought no answer.
    package var originFailures = 0

    package init() {}

    package var requests: Int { results.values.reduce(0, +) }
    /// Answered without waiting for the origin.
    package var served: Int { (results[.hit] ?? 0) + (results[.stale] ?? 0) }
}

/// The counters themselves: hits are counted in a server's loop, which must not wait.
final class ProxyCounters: Sendable {
    private let results: [Counter] = ProxyResult.allCases.map { _ in Counter() }
    let bodyBytes = Counter()
    let originRequests = Counter()
    let originFailures = Counter()

    final class Counter: Sendable {
        private let value = Atomic(0)

        func add(_ number: Int = 1) { value.wrappingAdd(number, ordering: .relaxed) }

        var count: Int { value.load(ordering: .relaxed) }
    }

    func note(_ result: ProxyResult) {
        if let index = ProxyResult.allCases.firstIndex(of: result) { results[index].add() }
    }

    var snapshot: ProxyCounts {
        var counts = ProxyCounts()
        for (result, counter) in zip(ProxyResult.allCases, results) { counts.results[result] = counter.count }
        counts.bodyBytes = bodyBytes.count
        counts.originRequests = originRequests.count
        counts.originFailures = originFailures.count
        return counts
    }
}

/// Counts what goes out to origins, and puts the proxy's name on it.
struct CountedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let counters: ProxyCounters
    let name: ProxyName

    func send(
        _ request: HTTPRequestHead, body: HTTPRequestBody?,
        onInterim: @escaping @Sendable (HTTPResponseHead) -> Void
    ) async throws(FetchFailure) -> HTTPIncomingResponse {
        counters.originRequests.add()
        do {
            return try await transport.send(name.signing(request), body: body, onInterim: onInterim)
        } catch {
            counters.originFailures.add()
            throw error
        }
    }
}
