public import Foundation
public import LarderKit

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension RawAnswer {
    /// What `URLSession.data(for:)` returned.
    ///
    /// ```swift
    /// try await RawAnswer(URLSession.shared.data(for: request.urlRequest(url)))
    /// ```
    ///
    /// Header fields that came several times come joined, and in no particular order, as `HTTPURLResponse` gives them.
    public init(_ result: (body: Data, response: URLResponse)) {
        guard let response = result.response as? HTTPURLResponse else {
            self.init(body: result.body)
            return
        }
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { HeaderFields.Field(name: $0, value: String(describing: value)) }
        }
        self.init(status: response.statusCode, headers: HeaderFields(fields), body: result.body, url: response.url)
    }
}

extension ResourceRequest {
    /// A request for `url` with the conditional header fields of what is stored, which no other cache answers: a value is
    /// kept once, and is never called fresh because another cache had it.
    public func urlRequest(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        for field in validators?.conditionalHeaders.fields ?? [] {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
        request.markAsTyped()
        return request
    }
}

extension PageRequest {
    /// A request for the page, which no other cache answers.
    ///
    /// - Parameter url: The list's own URL, to which the query items of this page have been added
    ///   (``LarderKit/PageRequest/queryItems(since:min:max:cursor:page:offset:limit:)``). Where the server gave a link to the
    ///   page, that is taken instead.
    /// - Throws: When that link leads to another origin than `url` has.
    public func urlRequest(_ url: URL) throws(FetchFailure) -> URLRequest {
        var request = URLRequest(url: try self.url(from: url), cachePolicy: .reloadIgnoringLocalCacheData)
        for field in validators?.conditionalHeaders.fields ?? [] {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
        request.markAsTyped()
        return request
    }
}
