package import LarderHTTPCache
import LarderKit
import Synchronization

import struct Foundation.Date

/// A caching HTTP proxy before a few origins: it serves what it has while they are away.
package final class CachingProxy: Sendable {
    package struct Options: Sendable {
        package var origins: OriginMap
        package var front = FrontOptions()
        /// Absolute targets are taken: clients use this as their proxy.
        package var isForward = false
        /// On loopback, requests for these hosts are served beside those for this machine and for the hosts of the origins. In small
        /// letters, without ports.
        package var hosts: Set<String> = []
        package var log: AccessLog?

        package init(origins: OriginMap) { self.origins = origins }
    }

    private let front: HTTPFront
    private let facts: ProxyFactsSource
    package let cache: HTTPCache

    /// Starts to serve.
    ///
    /// - Parameter makeCache: Given the transport that it is to use.
    /// - Throws: Where the address cannot be had.
    package init(
        _ options: Options, transport: any HTTPTransport, makeCache: (any HTTPTransport) -> HTTPCache
    ) throws(HTTPFrontError) {
        let counters = ProxyCounters()
        let name = ProxyName()
        let cache = makeCache(CountedTransport(transport: transport, counters: counters, name: name))
        let facts = ProxyFactsSource(cache: cache, counters: counters, origins: options.origins)
        let address = ProxyAddress(options.front.address, serving: options.hosts.union(options.origins.hosts))
        let handler = ProxyHandler(
            cache: cache, origins: options.origins, isForward: options.isForward, address: address, name: name,
            counters: counters, log: options.log, pages: ProxyPages { facts.facts })
        front = try HTTPFront(options: options.front, handler: handler)
        address.port = front.port
        facts.front.withLock { [front] in $0 = { [weak front] in front?.counts } }
        self.facts = facts
        self.cache = cache
    }

    package var url: String { front.url }
    package var port: UInt16 { front.port }
    package var current: ProxyFacts { facts.facts }

    /// Takes no more requests, and returns when those under way have ended or the time is over.
    package func stop(within limit: Duration = .seconds(5)) async { await front.stop(within: limit) }
}

/// Where the facts come from; the front is known last.
private final class ProxyFactsSource: Sendable {
    let cache: HTTPCache
    let counters: ProxyCounters
    let origins: OriginMap
    let front = Mutex<(@Sendable () -> FrontCounts?)?>(nil)

    init(cache: HTTPCache, counters: ProxyCounters, origins: OriginMap) {
        self.cache = cache
        self.counters = counters
        self.origins = origins
    }

    var facts: ProxyFacts {
        var facts = ProxyFacts()
        facts.counts = counters.snapshot
        facts.front = front.withLock { $0 }?() ?? FrontCounts()
        facts.isOffline = cache.isOffline
        facts.origins = origins.routes.map(\.origin)
        facts.exchangesUnderWay = cache.exchangeCount
        return facts
    }
}
