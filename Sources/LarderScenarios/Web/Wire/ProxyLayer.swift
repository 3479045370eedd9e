import Dispatch
import Foundation
import LarderHTTPCache
import LarderKit
import LarderServer

/// `larder proxy` with real connections on both sides.
final class ProxyLayer: WebLayer {
    private let map: OriginMap
    private let kind: CacheKind
    private let wire: WireOrigin
    private let transport: LoopbackTransport
    private let origin: WebOrigin
    private let world: ScenarioWorld
    private var proxy: CachingProxy
    private var clients: [String] = ["a"]

    init(_ script: WebScript, _ world: ScenarioWorld, _ origin: WebOrigin) throws {
        try Self.check(script)
        (self.world, self.origin) = (world, origin)
        wire = try WireOrigin(origin)
        map = try OriginMap(
            script.origins.map { text in
                let host = WebURL(text).authority.prefix { $0 != ":" }
                return "\(host.lowercased())=\(text)"
            })
        var impatience = CurlTransport.Options()
        impatience.headTimeout = .milliseconds(50)
        transport = try LoopbackTransport(
            origin, wire, transport: CurlTransport(), impatient: CurlTransport(impatience))
        kind = script.isShared ? .shared : .private
        proxy = try Self.proxy(map, transport, world.larder, kind)
        count()
    }

    private static func proxy(
        _ map: OriginMap, _ transport: LoopbackTransport, _ larder: Larder, _ kind: CacheKind
    ) throws -> CachingProxy {
        try CachingProxy(CachingProxy.Options(origins: map), transport: transport) { transport in
            HTTPCache(larder.common, transport: transport, options: .init(kind: kind))
        }
    }

    private func count() {
        let cache = proxy.cache
        // The origin is what the cache asks, and does not keep it.
        origin.count { [weak cache] in cache?.exchangeCount ?? 0 }
    }

    /// What a case asks for that is not the proxy's.
    private static func check(_ script: WebScript) throws(NotRunnable) {
        if script.requests.contains(where: { $0.policy != nil }) || script.policy != nil {
            throw NotRunnable(reason: "a policy is the app's, not that of a request")
        }
        if script.steps.contains(where: { $0.account != nil }) {
            throw NotRunnable(reason: "accounts are those of an app")
        }
        if script.answers.contains(where: { $0.fault == .silence }) {
            throw NotRunnable(reason: "an origin that is silent for ever takes real time")
        }
        let hosts = script.origins.map { WebURL($0).authority.prefix { $0 != ":" }.lowercased() }
        if Set(hosts).count < hosts.count {
            throw NotRunnable(reason: "it tells origins apart by their hosts alone")
        }
    }

    func call(
        _ request: WebRequest, _ policy: WebPolicy?, account: String?
    ) -> @Sendable () async -> HTTPOutcome {
        var headers = request.headers
        // The store is looked at as a client can.
        if policy == .cache(.cacheOnly) { headers.append(name: "Cache-Control", value: "only-if-cached, max-stale") }
        let client = WireClient(port: proxy.port, address: address(of: request.client ?? "a"))
        return { [headers] in
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: client.ask(request, headers)) }
            }
        }
    }

    /// Each client has one of its own.
    private func address(of client: String) -> String {
        if !clients.contains(client) { clients.append(client) }
        return "127.0.0.\(1 + (clients.firstIndex(of: client) ?? 0))"
    }

    func set(isOffline: Bool) { proxy.cache.isOffline = isOffline }

    func signOut(_ account: String?) throws(CaseFailure) {
        throw CaseFailure("nobody signs out of a proxy")
    }

    func close() async { await proxy.stop(within: .seconds(1)) }

    func reopen() throws {
        proxy = try Self.proxy(map, transport, world.larder, kind)
        count()
    }

    func stop() async {
        await close()
        wire.leave()
    }
}
