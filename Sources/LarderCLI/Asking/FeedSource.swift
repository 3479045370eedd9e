import Foundation
import LarderKit
import Synchronization

/// Where a feed's pages come from: an endpoint that is asked for id ranges, and where in its answers the items are.
///
/// State: `observed`, under its lock: how large the latest page was, and should have been.
final class FeedSource: Sendable {
    let origin: Origin
    let parameters: PagingParameters
    let order: FeedOrder
    let json: JSONItems
    private let observed = Mutex<PageSize?>(nil)

    struct PageSize: Sendable, Hashable {
        let count: Int
        let limit: Int
    }

    init(origin: Origin, parameters: PagingParameters = .init(), order: FeedOrder = .server, json: JSONItems = .init())
    {
        self.origin = origin
        self.parameters = parameters
        self.order = order
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
    var pageSize: PageSize? { observed.withLock { $0 } }

    func feed(in partition: Partition, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst) -> Feed<Data> {
        partition.feedOfBytes(
            name, json: json, paging: order.paging(parameters.understood), maxAge: maxAge, policy: policy,
            options: FeedOptions(fetchTimeout: origin.timeout)
        ) { [self] request in try await page(request) }
    }

    private func page(_ request: PageRequest) async throws(FetchFailure) -> RawAnswer {
        let url = origin.endpoint.adding(try parameters.query(for: request))
        let answer = try await origin.get(url)
        let inspection = try PageInspection(answer, json: json)
        observed.withLock { $0 = PageSize(count: inspection.count, limit: request.limit) }
        return answer
    }
}

/// What order a server's list is in, as `--order` says it.
enum FeedOrder: String, CaseIterable, Sendable {
    /// The server's own: new items on top, and ids that mean nothing.
    case server
    /// By id, as a decimal number of any length.
    case decimal
    /// By id, as text.
    case text
    /// Anything may move.
    case ranked

    init(_ order: Paging.Order) {
        self =
            switch order {
            case .byPosition(.newestOnTop): .server
            case .byPosition(.ranked): .ranked
            case .byID(.decimal): .decimal
            case .byID(.text): .text
            }
    }

    func paging(_ parameters: Set<Paging.Parameter>) -> Paging {
        switch self {
        case .server: .afterItem(order: .newestOnTop, parameters: parameters)
        case .decimal: .byID(.decimal, parameters: parameters)
        case .text: .byID(.text, parameters: parameters)
        case .ranked: .afterItem(order: .ranked, parameters: parameters)
        }
    }
}
