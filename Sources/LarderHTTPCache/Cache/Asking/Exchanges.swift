import Synchronization

/// The exchanges under way that others may join, one a URI (RFC 9111 section 4, "collapsed requests").
final class Exchanges: Sendable {
    private struct State {
        var underWay: [String: Exchange] = [:]
        /// URIs whose answers lately could not be shared: nobody waits in vain there.
        var unshared: [String] = []
        var isUnshared: Set<String> = []
    }

    private static let memory = 1024
    private let state = Mutex(State())

    enum Place {
        case lead(Exchange)
        case join(Exchange)
        /// On one's own.
        case alone
    }

    /// - Parameter make: A new exchange; called with the table locked.
    func place(_ key: String, _ make: () -> Exchange) -> Place {
        state.withLock { state in
            if let exchange = state.underWay[key], exchange.join() { return .join(exchange) }
            guard !state.isUnshared.contains(key) else { return .alone }
            let exchange = make()
            state.underWay[key] = exchange
            return .lead(exchange)
        }
    }

    /// One in the background, unless one is under way.
    func background(_ key: String, _ make: () -> Exchange) -> Exchange? {
        state.withLock { state in
            guard state.underWay[key] == nil else { return nil }
            let exchange = make()
            state.underWay[key] = exchange
            return exchange
        }
    }

    /// What was said to have changed is not answered any more by what was asked before.
    func detach(_ key: String) { state.withLock { $0.underWay[key] = nil } }

    func end(_ exchange: Exchange, _ key: String) {
        state.withLock { state in
            if state.underWay[key] === exchange { state.underWay[key] = nil }
        }
    }

    /// Notes whether the answer of a URI could be shared.
    func note(_ key: String, isShared: Bool) {
        state.withLock { state in
            if isShared {
                if state.isUnshared.remove(key) != nil { state.unshared.removeAll { $0 == key } }
            } else if state.isUnshared.insert(key).inserted {
                state.unshared.append(key)
                if state.unshared.count > Self.memory { state.isUnshared.remove(state.unshared.removeFirst()) }
            }
        }
    }

    var count: Int { state.withLock { $0.underWay.count } }
}
