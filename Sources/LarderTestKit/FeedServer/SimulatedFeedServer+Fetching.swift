import Foundation
public import LarderKit

extension SimulatedFeedServer {
    /// The answer as a typed page.
    ///
    /// - Throws: `FetchFailure` for an answer that is no page.
    public func page(for request: PageRequest) throws(FetchFailure) -> Page<Item> {
        let answer = answer(request)
        guard answer.status == 200 || answer.status == 304 else { throw .http(status: answer.status) }
        var page = Page(answer.items)
        page.follows = answer.follows
        return page
    }

    /// The answer as bytes: an array of `{"id":…,"text":…}`, or an object with the status of a refusal.
    ///
    /// A server that pages by cursor answers with an object of `items`, the array, and `next_cursor`, `null` at the end.
    /// One that pages by link has the array and, unless the page is the last, a `Link` field. Its feed is at
    /// `https://api.example.test/feed`.
    public func rawAnswer(for request: PageRequest) -> RawAnswer {
        let answer = answer(request)
        var headers = HeaderFields()
        if let etag = answer.etag { headers.append(name: "ETag", value: etag) }
        if case .link(let target) = answer.next {
            headers.append(name: "Link", value: #"<\#(target)>; rel="next""#)
        }
        let url = ServedLink.url(of: request)
        guard answer.status != 304 else { return RawAnswer(status: 304, headers: headers, body: Data(), url: url) }
        headers.append(name: "Content-Type", value: "application/json; charset=utf-8")
        let body = Data(answer.json(rules).utf8)
        return RawAnswer(status: answer.status, headers: headers, body: body, url: url)
    }

    /// ``page(for:)`` as a feed's fetch closure.
    public var fetchPage: @Sendable (PageRequest) async throws -> Page<Item> {
        { try self.page(for: $0) }
    }

    /// ``rawAnswer(for:)`` as a feed's fetch closure.
    public var fetchRaw: @Sendable (PageRequest) async throws -> RawAnswer {
        { self.rawAnswer(for: $0) }
    }
}
