import Foundation
import LarderKit
import Synchronization

/// Where a feed's pages come from: an endpoint that is asked as its paging has it, and where in its answers the items are.
///
/// State: `observed`, under its lock: what was asked so far, and what the latest page was like.
final class FeedSource: Sendable {
    let origin: Origin
    let parameters: PagingParameters
    let paging: FeedPaging
    let json: JSONItems
    private let observed = Mutex(Observed())

    private struct Observed {
        var requests = 0
        var urls: Set<String> = []
        var pageSize: PageSize?
        var unfollowed: String?
    }

    struct PageSize: Sendable, Hashable {
        let count: Int
        /// `nil` where the size of the page was not this side's to say.
        let limit: Int?
    }

    init(
        origin: Origin, parameters: PagingParameters = .init(), paging: FeedPaging = .init(), json: JSONItems = .init()
    ) {
        self.origin = origin
        self.parameters = parameters
        self.paging = paging
        self.json = json
    }

    /// What the feed is stored under.
    var name: String { Self.name(of: origin.endpoint, json) }

    /// What a feed is stored under: its URL. Where the answer holds several lists, or its items several ids, the paths that
    /// were chosen belong to it, since a list under other ids is another list.
    static func name(of endpoint: Endpoint, _ json: JSONItems) -> String {
        let plain = JSONItems()
        var name = endpoint.url
        if json.items != plain.items { name += " items=\(json.items)" }
        if json.id != plain.id { name += " id=\(json.id)" }
        return name
    }

    /// The size of the latest page that came, and the one asked for.
    var pageSize: PageSize? { observed.withLock { $0.pageSize } }
    /// What the only page that came, as large as asked for, lacks to be followed by another one.
    var unfollowed: String? { observed.withLock { $0.unfollowed } }
    /// How many pages were asked for.
    var requests: Int { observed.withLock { $0.requests } }
    /// How many of them were not for a page that had been asked for before.
    var questions: Int { observed.withLock { $0.urls.count } }

    func feed(in partition: Partition, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst) -> Feed<Data> {
        partition.feedOfBytes(
            name, json: json, paging: paging.paging(parameters.understood), maxAge: maxAge, policy: policy,
            options: FeedOptions(fetchTimeout: origin.timeout, retry: origin.retry, origin: origin.endpoint.origin)
        ) { [self] request in try await page(request) }
    }

    private func page(_ request: PageRequest) async throws(FetchFailure) -> RawAnswer {
        let url = try url(for: request)
        observed.withLock {
            $0.requests += 1
            $0.urls.insert(url)
        }
        let answer = try await origin.get(url, conditions: request.validators?.conditionalHeaders ?? [:])
        let inspection = try PageInspection(answer, json: json)
        let lack =
            paging.kind == .cursor || paging.kind == .link
            ? PageInspection.lackOfNext(in: answer, json: json, kind: paging.kind) : nil
        observed.withLock {
            $0.pageSize = PageSize(count: inspection.count, limit: request.isByLink ? nil : request.limit)
            $0.unfollowed =
                $0.requests == 1 && request.continuation == nil && inspection.count >= request.limit ? lack : nil
        }
        return answer
    }

    /// Where to ask for a page: at the list's own URL, or where the server's link leads, if that is the same origin.
    func url(for request: PageRequest) throws(FetchFailure) -> String {
        guard request.isByLink else { return origin.endpoint.adding(try parameters.query(for: request)) }
        guard let list = URL(string: origin.endpoint.url, encodingInvalidCharacters: false) else {
            throw FetchFailure(.other, "the URL is not valid")
        }
        return try request.url(from: list).absoluteString
    }
}

extension PageRequest {
    fileprivate var isByLink: Bool {
        if case .link = continuation { true } else { false }
    }
}
