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
        self.init(status: response.statusCode, headers: HeaderFields(fields), body: result.body)
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
        return request
    }
}

extension PageRequest {
    /// A request for `url`, to which the query items of this page have been added, which no other cache answers.
    public func urlRequest(_ url: URL) -> URLRequest {
        URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
    }
}
