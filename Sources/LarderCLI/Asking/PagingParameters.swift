import LarderKit

/// What a server calls the bounds of a page, and what it goes on with. An empty name: the server does not understand that
/// one.
struct PagingParameters: Sendable, Hashable {
    var since = "since_id"
    var min = ""
    var max = "max_id"
    var cursor = "cursor"
    var page = "page"
    var offset = "offset"
    var limit = "limit"

    /// The bounds the server understands.
    var understood: Set<Paging.Parameter> {
        var set: Set<Paging.Parameter> = []
        if !since.isEmpty { set.insert(.since) }
        if !min.isEmpty { set.insert(.min) }
        if !max.isEmpty { set.insert(.max) }
        return set
    }

    private func number(of request: PageRequest) -> String? {
        if case .page(let number) = request.continuation { String(number) } else { nil }
    }

    /// A page request in the server's words.
    ///
    /// - Throws: `other` when it needs a bound that the server does not understand: asked without it, the server would
    ///   give another page than the cache takes it for.
    func query(for request: PageRequest) throws(FetchFailure) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = []
        for (name, value, option) in [
            (since, request.since, "--since-param"), (min, request.min, "--min-param"),
            (max, request.max, "--max-param"), (cursor, request.cursor, "--cursor-param"),
            (page, number(of: request), "--page-param"),
            (offset, request.offset > 0 ? String(request.offset) : nil, "--offset-param"),
        ] {
            guard let value else { continue }
            guard !name.isEmpty else {
                throw FetchFailure(.other, "the rest of this page cannot be asked for without \(option)")
            }
            query.append((name, value))
        }
        if !limit.isEmpty { query.append((limit, String(request.limit))) }
        return query
    }
}
