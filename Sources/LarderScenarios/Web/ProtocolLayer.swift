import Foundation
import LarderHTTP
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `URLSession` whose configuration has Larder's protocol class, and real connections below: one session an account.
///
/// The origins of a case are servers on loopback, each with a port of its own; what an answer says of one of them is put into these
/// words.
final class ProtocolLayer: WebLayer {
    private struct Account {
        let session: URLSession
        let cache: HTTPCache
    }

    private let world: ScenarioWorld
    private let origin: WebOrigin
    private let wires: [String: WireOrigin]
    private let places: [String: String]
    private var accounts: [String: Account] = [:]
    private var isOffline = false

    init(_ script: WebScript, _ world: ScenarioWorld, _ origin: WebOrigin) throws {
        try AppRequest.check(script)
        try Self.check(script)
        (self.world, self.origin) = (world, origin)
        var (wires, places) = ([String: WireOrigin](), [String: String]())
        for text in script.origins {
            let wire = try WireOrigin(origin, standingFor: text)
            (wires[text], places[text]) = (wire, "http://127.0.0.1:\(wire.port)")
        }
        (self.wires, self.places) = (wires, places)
        for wire in wires.values { wire.set(places: places) }
    }

    private static func check(_ script: WebScript) throws(NotRunnable) {
        let policies = script.requests.map(\.policy) + [script.policy]
        for case .cache(.networkFirst) in policies {
            throw NotRunnable(reason: "a URLRequest has no word for a policy of the case")
        }
        for case let fault? in script.answers.map(\.fault) where fault != .reset && !away.contains(fault) {
            throw NotRunnable(reason: "its origin cannot be made to fail by '\(fault.rawValue)'")
        }
        for case .request(let request) in script.steps.map(\.operation) where isAway(request) == nil {
            throw NotRunnable(reason: "its origin is there for a whole step, or for none of it")
        }
        for step in script.steps {
            guard case .request(let request) = step.operation, isAway(request) == true else { continue }
            if step.expectations.contains(where: \.isOfOrigin) {
                throw NotRunnable(reason: "what is sent to an origin that is away is not seen")
            }
        }
    }

    private static let away: Set<WebAnswer.Fault> = [.refused, .offline]

    /// Whether nobody listens in this step; `nil` where it depends.
    private static func isAway(_ request: WebRequest) -> Bool? {
        let states = Set(request.answers.all.map { $0.fault.map(away.contains) ?? false })
        return states.count > 1 ? nil : states.first ?? false
    }

    private func account(_ name: String?) -> Account {
        if let account = accounts[name ?? ""] { return account }
        let configuration = AppRequest.configuration
        let cache = configuration.useLarder(name.map { world.larder.partition($0) } ?? world.larder.common)
        cache.isOffline = isOffline
        let account = Account(session: URLSession(configuration: configuration), cache: cache)
        accounts[name ?? ""] = account
        let counts = accounts.values.map(\.cache).map { cache -> @Sendable () -> Int in
            { [weak cache] in cache?.exchangeCount ?? 0 }
        }
        origin.count { counts.reduce(0) { $0 + $1() } }
        return account
    }

    func call(
        _ request: WebRequest, _ policy: WebPolicy?, account: String?
    ) throws -> @Sendable () async -> HTTPOutcome {
        let session = self.account(account).session
        let origin = WebURL(request.url).origin
        guard let place = places[origin] else { throw CaseFailure("nobody stands for \(origin)") }
        let isAway = Self.isAway(request) == true
        for wire in wires.values { if isAway { wire.leave() } else { try wire.come() } }
        var made = try AppRequest.make(request, policy, url: place + request.url.dropFirst(origin.count))
        if policy == .cache(.cacheOnly) { made.cachePolicy = .returnCacheDataDontLoad }
        return { [made] in
            do {
                let (data, response) = try await session.data(for: made)
                guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                var headers = HeaderFields()
                for (name, value) in response.allHeaderFields { headers.append(name: "\(name)", value: "\(value)") }
                return HTTPOutcome(response.statusCode, headers, data)
            } catch {
                return HTTPOutcome(FetchFailure(.other, "\(error)"))
            }
        }
    }

    func set(isOffline: Bool) {
        self.isOffline = isOffline
        for account in accounts.values { account.cache.isOffline = isOffline }
    }

    func signOut(_ account: String?) async throws {
        accounts.removeValue(forKey: account ?? "")?.session.finishTasksAndInvalidate()
        try await (account.map { world.larder.partition($0) } ?? world.larder.common).signOut()
    }

    func close() {
        for account in accounts.values { account.session.finishTasksAndInvalidate() }
        accounts = [:]
    }

    func reopen() {}

    func stop() {
        close()
        for wire in wires.values { wire.leave() }
    }
}
