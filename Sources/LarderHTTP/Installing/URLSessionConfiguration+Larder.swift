public import LarderHTTPCache
public import LarderKit

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLSessionConfiguration {
    /// Puts an HTTP cache under the sessions that are made of this configuration from now on, without other changes to the app.
    ///
    /// ```swift
    /// let configuration = URLSessionConfiguration.default
    /// configuration.useLarder(me)
    /// let session = URLSession(configuration: configuration)
    /// ```
    ///
    /// Requests over http and https go through it; those of resources and feeds pass it by. Once the
    /// partition is signed out of or the larder closed, the sessions go on without a cache, so that nothing of one account is
    /// shown to the next, who takes a session of their own.
    ///
    /// What it cannot do:
    /// - Background sessions run in another process and ask no protocol class.
    /// - The session's delegate is not asked to judge certificates, nor told of metrics.
    /// - Time limits are those of the configuration as it is now, not those of single requests.
    /// - On Linux, download tasks pass the cache by, and so do upload tasks whose body is not in the request; what they change is
    ///   known to have changed. A body is delivered in one piece, but for event streams. Redirects are followed without
    ///   asking the delegate, and the response says where to.
    ///
    /// - Returns: The cache, to set it offline for example. The same one as before, where the same partition and options were
    ///   installed with the same settings.
    @discardableResult
    public func useLarder(
        _ partition: Partition, options: HTTPCache.Options = HTTPCache.Options()
    ) -> HTTPCache {
        let others = (protocolClasses ?? []).filter { !($0 is LarderURLProtocol.Type) }
        protocolClasses = others
        let slot = ProtocolSlots.shared.slot(for: partition, options, self)
        protocolClasses = [slot.protocolClass] + others
        // Nothing is to be kept twice.
        urlCache = nil
        return slot.cache
    }

    /// A copy of this configuration with ``useLarder(_:options:)``.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default.cached(in: me))
    /// ```
    public func cached(
        in partition: Partition, options: HTTPCache.Options = HTTPCache.Options()
    ) -> URLSessionConfiguration {
        let copy = duplicate()
        copy.useLarder(partition, options: options)
        return copy
    }
}
