internal import LarderKit

internal import struct Foundation.Date

extension HTTPRules {
    /// Judges a request against all that is stored under its URI, in any order (RFC 9111 section 4).
    package static func plan(_ request: HTTPRequestHead, _ stored: [StoredAnswer], _ context: ReuseContext) -> ReusePlan
    {
        plan(request, stored, stored.map { FreshnessFacts($0, context.kind) }, context)
    }

    /// The same with what was read of the stored answers before, one for each.
    package static func plan(
        _ request: HTTPRequestHead, _ stored: [StoredAnswer], _ facts: [FreshnessFacts], _ context: ReuseContext
    ) -> ReusePlan {
        guard request.method == "GET" || request.method == "HEAD" else {
            return context.isOffline
                ? .refuse : .ask(Asking(reason: .method, headers: endToEnd(request.headers)))
        }
        return Planner(request, stored, facts, context).plan()
    }

    /// What is asked meanwhile, when a stale answer is served (RFC 5861 section 3): for the whole of it, whatever the client
    /// wanted of it; for the same part, where only that is stored.
    package static func revalidation(
        of index: Int, _ request: HTTPRequestHead, _ stored: [StoredAnswer], _ context: ReuseContext
    ) -> Asking {
        guard stored.indices.contains(index) else {
            return Asking(reason: .miss, headers: endToEnd(request.headers).without(conditions.union(["range"])))
        }
        let candidate = Planner.Candidate(
            index: index, stored: stored[index], facts: FreshnessFacts(stored[index], context.kind))
        var whole = request
        whole.method = "GET"
        whole.headers = request.headers.without(
            candidate.stored.part == nil ? conditions.union(["range"]) : conditions)
        return Planner(whole, [], [], context).validation(of: candidate)
    }

    /// Whether a whole stored answer serves a request that asks for nothing special, as it is: the short way, which says
    /// nothing of others that may be stored.
    package static func isPlainlyFresh(
        _ request: HTTPRequestHead, _ stored: StoredAnswer, _ facts: FreshnessFacts, _ context: ReuseContext
    ) -> Bool {
        stored.part == nil && (request.method == "GET" || request.method == "HEAD")
            && (stored.client == nil || stored.client == context.client) && facts.isReusable(at: context.now)
            && !request.headers.fields.contains { isSpecial($0.name) }
            && (stored.variant.fields.isEmpty || matches(stored, request.headers))
    }

    /// A field that ``plan(_:_:_:)`` looks at.
    private static func isSpecial(_ name: String) -> Bool {
        switch name.utf8.count {
        case 5: name.equalsIgnoringCase("Range")
        case 6: name.equalsIgnoringCase("Pragma")
        case 8, 17, 19: name.utf8.starts(with: "if-".utf8) || name.utf8.starts(with: "If-".utf8) || isCondition(name)
        case 13: name.equalsIgnoringCase("Cache-Control") || isCondition(name)
        default: false
        }
    }

    static func isCondition(_ name: String) -> Bool { conditions.contains(name.lowercased()) }
}
