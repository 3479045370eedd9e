package import LarderKit

/// What the rules would do with a plain GET that selects a stored answer.
package struct AnswerOutlook: Sendable {
    package enum Decision: String, Sendable {
        /// The stored answer is served, and nobody asked.
        case show
        /// The same, and the origin is asked meanwhile.
        case showAndAsk
        /// The origin is asked first; what is stored is served where it cannot be.
        case ask
        /// The origin is asked, and nothing else can be served.
        case wait
    }

    /// Which of the answers it is about.
    package let index: Int
    package let decision: Decision
    package let freshness: FreshnessFacts
    /// What of the answer says for how long it is fresh; `nil` for nothing.
    package let lifetimeFrom: String?
    /// What is served when the origin cannot be reached; `nil` for nothing.
    package let ifUnreachable: Serving?
    /// What is served when the origin answers with a failure (500, 502, 503, 504); `nil` to pass that on.
    package let ifFails: Serving?
    /// What stands in the way of serving it without asking, in the words of the fields.
    package let forbidding: [String]
    /// The fields that make a request for it conditional.
    package let conditions: [HeaderFields.Field]

    /// - Parameters:
    ///   - selected: Which answer's request is meant: a GET with the fields that select it, and nothing else.
    package init(selecting selected: Int, of answers: [StoredAnswer], _ context: ReuseContext) {
        var context = context
        context.client = answers[selected].client
        var request = HTTPRequestHead(url: "")
        for field in answers[selected].variant.fields {
            if let value = field.value { request.headers.append(name: field.name, value: value) }
        }
        let plan = HTTPRules.plan(request, answers, context)
        var offline = context
        offline.isOffline = true
        let away: Serving? =
            if case .serve(let serving) = HTTPRules.plan(request, answers, offline) { serving } else { nil }
        switch plan {
        case .serve(let serving):
            index = serving.index
            decision = serving.revalidates ? .showAndAsk : .show
            let asking = HTTPRules.revalidation(of: serving.index, request, answers, context)
            conditions = Self.conditions(of: asking)
            (ifUnreachable, ifFails) = (away, serving)
        case .ask(let asking):
            index = asking.validates ?? asking.resumes?.index ?? away?.index ?? selected
            decision = asking.ifUnreachable == nil ? .wait : .ask
            conditions = Self.conditions(of: asking)
            (ifUnreachable, ifFails) = (asking.ifUnreachable, asking.ifFails)
        case .refuse:
            index = selected
            decision = .wait
            conditions = []
            (ifUnreachable, ifFails) = (nil, nil)
        }
        freshness = FreshnessFacts(answers[index], context.kind)
        lifetimeFrom = Self.lifetimeSource(of: answers[index].headers, freshness)
        forbidding = Self.forbidding(answers[index], freshness, context.kind)
    }

    private static func conditions(of asking: Asking) -> [HeaderFields.Field] {
        let own: Set = ["if-none-match", "if-modified-since", "if-range", "range"]
        return asking.headers.fields.filter { own.contains($0.name.lowercased()) }
    }

    private static func lifetimeSource(of headers: HeaderFields, _ facts: FreshnessFacts) -> String? {
        let directives = facts.directives
        let field = directives.isTargeted ? "CDN-Cache-Control" : "Cache-Control"
        if let seconds = directives.sharedMaxAge { return "s-maxage=\(seconds) in \(field)" }
        if let seconds = directives.maxAge { return "max-age=\(seconds) in \(field)" }
        if !directives.isTargeted, let expires = headers.first("Expires") { return "Expires: \(expires)" }
        return facts.lifetime > 0 ? "a tenth of the time since Last-Modified" : nil
    }

    private static func forbidding(_ answer: StoredAnswer, _ facts: FreshnessFacts, _ kind: CacheKind) -> [String] {
        let directives = facts.directives
        let isShared = kind == .shared
        let found: [(Bool, String)] = [
            (directives.forbidsStoring(status: answer.status), "no-store"),
            (isShared && directives.isPrivate, "private"),
            (directives.noCache, "no-cache"),
            (directives.mustRevalidate, "must-revalidate"),
            (isShared && directives.proxyRevalidate, "proxy-revalidate"),
            (isShared && directives.sharedMaxAge != nil, "s-maxage"),
        ]
        return found.filter(\.0).map(\.1)
    }
}

extension StoredAnswer {
    /// Whether a client has to ask for it with other fields than a plain GET has.
    package var isOfSpecialRequest: Bool { variant.fields.contains { $0.value != nil } || client != nil }
}
