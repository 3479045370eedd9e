public import Foundation
public import LarderKit

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Partition {
    /// A resource that is what a URL gives: decoded JSON.
    ///
    /// ```swift
    /// let profile = me.resource(url: url, as: Profile.self) { ["Authorization": "Bearer \(try await token())"] }
    /// ```
    ///
    /// It is asked for conditionally and past every HTTP cache, so that its bytes are kept once and its age is the true one. It
    /// is kept whatever `Cache-Control` says, `no-store` as well, since the app asks for that
    /// (`ServerRules.advisory`).
    ///
    /// - Parameters:
    ///   - key: What it is stored under; the text of the URL unless given. Give one where the URL bears a secret.
    ///   - options: Limits. The host that is asked is known without naming it.
    ///   - session: What sends the request; one without a cache of its own unless given, which also keeps secrets from other
    ///     origins when it is redirected.
    ///   - headers: Further fields, made anew for each request.
    public func resource<Value: Decodable & Sendable>(
        url: URL, as value: Value.Type = Value.self, key: String? = nil, maxAge: Duration? = nil,
        policy: ReadPolicy = .cacheFirst, options: ResourceOptions = .init(), session: URLSession? = nil,
        headers: @escaping HeaderSource = { [:] }
    ) -> Resource<Value> {
        let fetch = TypedFetch(session, headers)
        return resource(
            key ?? url.absoluteString, decoding: value, maxAge: maxAge, policy: policy, options: options.naming(url)
        ) { try await fetch.answer(to: $0.urlRequest(url)) }
    }

    /// The same, for the bytes themselves.
    public func bytes(
        url: URL, expecting content: ExpectedContent = .anything, key: String? = nil, maxAge: Duration? = nil,
        policy: ReadPolicy = .cacheFirst, options: ResourceOptions = .init(), session: URLSession? = nil,
        headers: @escaping HeaderSource = { [:] }
    ) -> Resource<Data> {
        let fetch = TypedFetch(session, headers)
        return bytes(
            key ?? url.absoluteString, expecting: content, maxAge: maxAge, policy: policy, options: options.naming(url)
        ) { try await fetch.answer(to: $0.urlRequest(url)) }
    }
}

extension ResourceOptions {
    fileprivate func naming(_ url: URL) -> ResourceOptions {
        var options = self
        options.origin = origin ?? WebOrigin(url)?.description
        return options
    }
}
