import Foundation
import LarderHTTPCache
import LarderKit

/// What a case runs over.
protocol WebLayer: AnyObject {
    /// The work that a client's request is.
    func call(
        _ request: WebRequest, _ policy: WebPolicy?, account: String?
    ) throws -> @Sendable () async -> HTTPOutcome
    func set(isOffline: Bool)
    func signOut(_ account: String?) async throws
    /// Lets go of the larder, which is about to be closed.
    func close() async
    /// Goes on with the larder that has been opened again.
    func reopen() throws
    /// Ends for good.
    func stop() async
}

/// Why a case cannot be run over a layer.
struct NotRunnable: Error {
    let reason: String
}

/// The cache itself, with a transport that is scripted: one cache an account.
final class EngineLayer: WebLayer {
    private let world: ScenarioWorld
    private let origin: WebOrigin
    private let kind: CacheKind
    private var caches: [String: HTTPCache] = [:]
    private var isOffline = false

    init(_ script: WebScript, _ world: ScenarioWorld, _ origin: WebOrigin) {
        (self.world, self.origin) = (world, origin)
        kind = script.isShared ? .shared : .private
    }

    private func cache(_ account: String?) -> HTTPCache {
        if let cache = caches[account ?? ""] { return cache }
        let partition = account.map { world.larder.partition($0) } ?? world.larder.common
        let cache = HTTPCache(partition, transport: ScriptedWire(origin), options: .init(kind: kind))
        cache.isOffline = isOffline
        caches[account ?? ""] = cache
        let counts = caches.values.map { cache -> @Sendable () -> Int in { [weak cache] in cache?.exchangeCount ?? 0 } }
        origin.count { counts.reduce(0) { $0 + $1() } }
        return cache
    }

    func call(
        _ request: WebRequest, _ policy: WebPolicy?, account: String?
    ) -> @Sendable () async -> HTTPOutcome {
        let cache = cache(account)
        var head = HTTPRequestHead(method: request.method, url: request.url, headers: request.headers)
        var asked = HTTPCachePolicy.standard
        switch policy {
        case .cache(let policy): asked = policy
        case .directive(let directive): head.headers.append(name: "Cache-Control", value: directive)
        case nil: break
        }
        return { [head, asked] in
            let body = request.body.map { HTTPRequestBody(length: $0.count, pipe: BodyPipe($0)) }
            let interim = InterimLog()
            do throws(FetchFailure) {
                let answer = try await cache.answer(
                    head, body: body, client: request.client ?? "a", policy: asked,
                    onInterim: { interim.note($0.status) })
                let data = try await answer.body.collect()
                return HTTPOutcome(answer.head.status, answer.head.headers, data, interim: interim.statuses)
            } catch {
                return HTTPOutcome(error)
            }
        }
    }

    func set(isOffline: Bool) {
        self.isOffline = isOffline
        for cache in caches.values { cache.isOffline = isOffline }
    }

    func signOut(_ account: String?) async throws {
        caches[account ?? ""] = nil
        try await (account.map { world.larder.partition($0) } ?? world.larder.common).signOut()
    }

    func close() { caches = [:] }

    func reopen() {}

    func stop() { close() }
}
