public import Foundation
public import LarderHTTPCache
public import LarderKit

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// `URLSession.data(for:)` with a cache that is right, works offline, and tells what it did.
///
/// ```swift
/// let client = CachingClient(me)
/// let (data, response) = try await client.data(from: url)
/// print(response.cacheStatus?.isHit ?? false)
/// ```
///
/// A value to be made where it is needed; what is stored belongs to the partition. Redirects are followed, each through the
/// cache, at most twenty: secrets in header fields stay with the origin they were meant for.
///
/// The request's `cachePolicy` counts, the session's where the request has none: the reloading ones ask the origin, and store
/// what it says; `returnCacheDataElseLoad` takes what is stored however stale, unless that is forbidden;
/// `returnCacheDataDontLoad` asks nobody, and gives 504 where nothing is stored.
public struct CachingClient: Sendable {
    /// The cache behind it, for several clients to share, and to be set offline.
    public let cache: HTTPCache
    let fields: SessionFields

    /// - Parameters:
    ///   - partition: Whose answers these are. Two accounts never share one.
    ///   - session: How requests are sent: time limits, proxies, cookies, additional fields. Not one for the background. Of a
    ///     session's delegate nothing is known here; who has to judge certificates makes a transport.
    ///   - options: How far the cache goes.
    public init(
        _ partition: Partition, session: URLSessionConfiguration = .default,
        options: HTTPCache.Options = HTTPCache.Options()
    ) {
        cache = HTTPCache(partition, transport: URLSessionTransport(session), options: options)
        fields = SessionFields(session)
    }

    /// Over any transport.
    public init(
        _ partition: Partition, transport: some HTTPTransport, options: HTTPCache.Options = HTTPCache.Options()
    ) {
        cache = HTTPCache(partition, transport: transport, options: options)
        fields = SessionFields()
    }

    /// The whole answer.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - policy: What is tried in which order; `nil` for what the request's `cachePolicy` says.
    /// - Throws: Where the origin did not answer and nothing may be served instead, and where its body was cut. An error status
    ///   is an answer.
    public func data(
        for request: URLRequest, policy: HTTPCachePolicy? = nil
    ) async throws(FetchFailure) -> (Data, HTTPURLResponse) {
        let (answer, response) = try await answer(for: request, policy: policy)
        return (try await answer.body.collect(), response)
    }

    /// The whole answer to a GET.
    public func data(
        from url: URL, policy: HTTPCachePolicy? = nil
    ) async throws(FetchFailure) -> (Data, HTTPURLResponse) {
        try await data(for: URLRequest(url: url), policy: policy)
    }

    /// An answer whose body comes in pieces, be it from the origin or from the disk (`HTTPBody.next()`): none
    /// of it is held in memory whole.
    public func answer(
        for request: URLRequest, policy: HTTPCachePolicy? = nil
    ) async throws(FetchFailure) -> (HTTPAnswer, HTTPURLResponse) {
        var hop = try await Hop(request, policy, fields)
        for _ in 0...Redirect.limit {
            let answer = try await send(hop)
            guard let next = hop.next(after: answer.head, fields) else {
                return (answer, try .make(answer.head, url: hop.url))
            }
            await Redirect.passOver(answer)
            hop = next
        }
        throw FetchFailure(.wrongAnswer, "more than \(Redirect.limit) redirects in a row")
    }

    /// One request without following what it may be redirected to.
    func send(_ hop: Hop) async throws(FetchFailure) -> HTTPAnswer {
        let body = RequestContent.body(hop.body)
        if hop.isTyped { return try await cache.pass(hop.request, body: body) }
        return try await cache.answer(hop.request, body: body, policy: hop.policy)
    }
}

/// One of the requests that lead to an answer.
struct Hop: Sendable {
    private(set) var request: HTTPRequestHead
    private(set) var url: URL
    private(set) var body: Data?
    let policy: HTTPCachePolicy
    let isTyped: Bool
    private let handlesCookies: Bool

    init(_ request: URLRequest, _ policy: HTTPCachePolicy?, _ fields: SessionFields) async throws(FetchFailure) {
        guard let head = HTTPRequestHead(request), let url = request.url else {
            throw FetchFailure(.other, "the request has no URL over HTTP")
        }
        self.request = head
        self.url = url
        handlesCookies = request.httpShouldHandleCookies
        isTyped = request.isTyped
        let own = request.cachePolicy
        let asked = RequestPolicy(own == .useProtocolCachePolicy ? fields.cachePolicy : own)
        self.policy = policy ?? asked.policy
        if policy == nil, !isTyped, let directive = asked.cacheControl {
            self.request.headers.append(name: "Cache-Control", value: directive)
        }
        fields.add(to: &self.request, isFirst: true, handlesCookies: handlesCookies)
        body = try await RequestContent.read(request)
    }

    /// Where an answer redirects to; `nil` where it is the last one.
    func next(after head: HTTPResponseHead, _ fields: SessionFields) -> Hop? {
        guard let redirect = Redirect(head, to: request), let url = URL(string: redirect.request.url) else {
            return nil
        }
        var next = self
        next.request = redirect.request
        next.url = url
        if !redirect.keepsBody { next.body = nil }
        fields.add(to: &next.request, isFirst: false, handlesCookies: handlesCookies)
        return next
    }
}
