import Foundation
import LarderHTTP
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `CachingClient` over `URLSession` and real connections: one client an account.
final class ClientLayer: WebLayer {
    private let world: ScenarioWorld
    private let origin: WebOrigin
    private let wire: WireOrigin
    private let transport: LoopbackTransport
    private var clients: [String: CachingClient] = [:]
    private var isOffline = false

    init(_ script: WebScript, _ world: ScenarioWorld, _ origin: WebOrigin) throws {
        try AppRequest.check(script)
        if script.answers.contains(where: { $0.fault == .silence }) {
            throw NotRunnable(reason: "an origin that is silent for ever takes real time")
        }
        (self.world, self.origin) = (world, origin)
        wire = try WireOrigin(origin)
        let impatient = AppRequest.configuration
        impatient.timeoutIntervalForRequest = 1
        transport = try LoopbackTransport(
            origin, wire, transport: URLSessionTransport(AppRequest.configuration),
            impatient: URLSessionTransport(impatient))
    }

    private func client(_ account: String?) -> CachingClient {
        if let client = clients[account ?? ""] { return client }
        let partition = account.map { world.larder.partition($0) } ?? world.larder.common
        let client = CachingClient(partition, transport: transport)
        client.cache.isOffline = isOffline
        clients[account ?? ""] = client
        let counts = clients.values.map(\.cache).map { cache -> @Sendable () -> Int in
            { [weak cache] in cache?.exchangeCount ?? 0 }
        }
        origin.count { counts.reduce(0) { $0 + $1() } }
        return client
    }

    func call(
        _ request: WebRequest, _ policy: WebPolicy?, account: String?
    ) throws -> @Sendable () async -> HTTPOutcome {
        let client = client(account)
        let made = try AppRequest.make(request, policy, url: request.url)
        let asked: HTTPCachePolicy? = if case .cache(let policy) = policy { policy } else { nil }
        return {
            do throws(FetchFailure) {
                let (answer, response) = try await client.answer(for: made, policy: asked)
                let data = try await answer.body.collect()
                return HTTPOutcome(response.statusCode, answer.head.headers, data)
            } catch {
                return HTTPOutcome(error)
            }
        }
    }

    func set(isOffline: Bool) {
        self.isOffline = isOffline
        for client in clients.values { client.cache.isOffline = isOffline }
    }

    func signOut(_ account: String?) async throws {
        clients[account ?? ""] = nil
        try await (account.map { world.larder.partition($0) } ?? world.larder.common).signOut()
    }

    func close() { clients = [:] }

    func reopen() {}

    func stop() {
        close()
        wire.leave()
    }
}
