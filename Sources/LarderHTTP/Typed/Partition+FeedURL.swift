public import Foundation
public import LarderKit

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Partition {
    /// A feed that is what the pages of a URL give: the items of JSON answers.
    ///
    /// ```swift
    /// let issues: Feed<Issue> = me.feed(url: url) { ["Authorization": "Bearer \(try await token())"] }
    /// ```
    ///
    /// It is kept whatever `Cache-Control` says, as a resource is (``resource(url:as:key:maxAge:policy:options:session:headers:)``).
    ///
    /// - Parameters:
    ///   - json: Where the items are in an answer, and the id in an item; an array of objects with `id` unless given.
    ///   - paging: How the server pages; by links in the header unless given.
    ///   - key: What it is stored under; the text of the URL unless given. Give one where the URL bears a secret.
    ///   - options: Limits. The host that is asked is known without naming it.
    ///   - session: What sends the requests; one without a cache of its own unless given.
    ///   - headers: Further fields, made anew for each request.
    ///   - query: How a page is asked for, where no link leads to it; under the usual names unless given. Added to what the URL
    ///     has.
    public func feed<Item: Decodable & Sendable>(
        url: URL, json: JSONItems = JSONItems(), paging: Paging = .link(), of item: Item.Type = Item.self,
        key: String? = nil,
        maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst, options: FeedOptions = .init(),
        session: URLSession? = nil, headers: @escaping HeaderSource = { [:] },
        query: @escaping @Sendable (PageRequest) -> [URLQueryItem] = { $0.queryItems() }
    ) -> Feed<Item> {
        let fetch = TypedFetch(session, headers)
        return feed(
            key ?? url.absoluteString, json: json, paging: paging, maxAge: maxAge, policy: policy,
            options: options.naming(url), decoding: item
        ) { try await fetch.answer(to: $0.urlRequest(url.appending(queryItems: query($0)))) }
    }

    /// The same, for the bytes of the items themselves.
    public func feedOfBytes(
        url: URL, json: JSONItems = JSONItems(), paging: Paging = .link(),
        key: String? = nil,
        maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst, options: FeedOptions = .init(),
        session: URLSession? = nil, headers: @escaping HeaderSource = { [:] },
        query: @escaping @Sendable (PageRequest) -> [URLQueryItem] = { $0.queryItems() }
    ) -> Feed<Data> {
        let fetch = TypedFetch(session, headers)
        return feedOfBytes(
            key ?? url.absoluteString, json: json, paging: paging, maxAge: maxAge, policy: policy,
            options: options.naming(url)
        ) { try await fetch.answer(to: $0.urlRequest(url.appending(queryItems: query($0)))) }
    }
}

extension FeedOptions {
    fileprivate func naming(_ url: URL) -> FeedOptions {
        var options = self
        options.origin = origin ?? WebOrigin(url)?.description
        return options
    }
}
