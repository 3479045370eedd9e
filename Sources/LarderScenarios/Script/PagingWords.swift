import LarderKit

/// How a case says its list is paged, and what that is in the library's terms.
struct PagingWords: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case idRange
        case afterItem
        case cursor
        case link
        case pageNumber
        case offset
    }

    /// How ids compare at the server, and how they stand in JSON.
    enum IDType: Sendable, Hashable {
        case decimal
        case jsonNumber
        case text
        case opaque
    }

    let kind: Kind
    let idType: IDType

    init(_ fields: ScriptFields) throws(CaseFailure) {
        let type = try fields.text("idType")
        switch type.map(Wording.folded) {
        case nil, "decimal", "decimalstring", "digits", "numericstring", "decimaltext": idType = .decimal
        case "jsonnumber", "number", "integer", "decimalnumber": idType = .jsonNumber
        case "text", "ulid", "sortabletext", "flake", "flakeid", "lexicographic", "lexical": idType = .text
        case "opaque", "opaquestring", "opaquetext", "uuid", "guid": idType = .opaque
        default: throw CaseFailure("unknown idType \(JSONString.quoting(type ?? ""))")
        }
        guard let name = try fields.text("paging") else { throw CaseFailure("no paging is given") }
        switch Wording.folded(name) {
        case "sincemax", "maxsince", "sinceminmax", "sincemaxmin", "sinceidmaxid", "byid", "idrange", "idranges", "max",
            "maxid", "minmax", "minidmaxid", "sinceidminidmaxid", "sinceidmaxidminid":
            kind = idType == .opaque ? .afterItem : .idRange
        case "afteritem", "byitem", "startingafter": kind = .afterItem
        case "cursor", "cursors", "cursorinbody", "nextcursor": kind = .cursor
        case "link", "links", "linkheader", "linkheaders", "nextlink", "rfc8288": kind = .link
        case "pagenumber", "pagenumbers", "page", "pages", "numberedpages": kind = .pageNumber
        case "offset", "offsets", "offsetlimit", "limitoffset": kind = .offset
        default: throw CaseFailure("unknown paging \(JSONString.quoting(name))")
        }
    }

    /// Whether the server finds its way by comparing ids.
    var comparesIDs: Bool { idType != .opaque && kind != .afterItem }

    func paging(_ rule: ServerRule, _ options: ScriptOptions) -> Paging {
        let order: Paging.ListOrder = rule.isRanked ? .ranked : .newestOnTop
        switch kind {
        case .idRange:
            return .byID(
                idType == .text ? .text : .decimal, parameters: Self.parameters(rule), shortPages: options.shortPages,
                emptyPages: options.emptyPages)
        case .afterItem:
            return .afterItem(
                order: order, parameters: Self.parameters(rule), shortPages: options.shortPages,
                emptyPages: options.emptyPages)
        case .cursor: return .cursor(order: order, emptyPages: options.emptyPages)
        case .link: return .link(order: order, emptyPages: options.emptyPages)
        case .pageNumber:
            return .pageNumber(
                startingAt: rule.firstPage, order: order, neighbours: options.neighbours,
                shortPages: options.shortPages, emptyPages: options.emptyPages)
        case .offset: return .offset(order: order, shortPages: options.shortPages, emptyPages: options.emptyPages)
        }
    }

    /// A `since_id` that gives the items next above it is what the library calls `min`, under another name.
    private static func parameters(_ rule: ServerRule) -> Set<Paging.Parameter> {
        var parameters: Set<Paging.Parameter> = []
        if rule.since.isUnderstood { parameters.insert(rule.since.countsFromOldest ? .min : .since) }
        if rule.max.isUnderstood { parameters.insert(.max) }
        if rule.min?.isUnderstood == true { parameters.insert(.min) }
        return parameters
    }
}

/// What a case says the app has declared besides.
struct ScriptOptions: Sendable {
    var feed = FeedOptions()
    var shortPages = Paging.ShortPages.proveNothing
    var emptyPages = Paging.EmptyPages.mustComeTwice
    var neighbours = Paging.Neighbours.areChecked

    static let known: Set<String> = ["overlap", "fruitlessPages", "keep", "shortPages", "emptyPages", "neighbours"]

    init(_ fields: ScriptFields?) throws(CaseFailure) {
        guard let fields else { return }
        switch fields["overlap"] {
        case nil, .text("off"), .bool(false): break
        case .text("on"), .bool(true): feed.overlap = 5
        case .number: feed.overlap = try fields.count("overlap") ?? 1
        default: throw fields.mismatch("overlap", "on, off or a number")
        }
        if let pages = try fields.count("fruitlessPages") { feed.fruitlessPages = pages }
        if let count = try fields.count("keep") { feed.keep = .newest(count) }
        if let word = try fields.text("shortPages") {
            guard let value = Paging.ShortPages(rawValue: word) else { throw fields.mismatch("shortPages", "known") }
            shortPages = value
        }
        if let word = try fields.text("emptyPages") {
            guard let value = Paging.EmptyPages(rawValue: word) else { throw fields.mismatch("emptyPages", "known") }
            emptyPages = value
        }
        if let word = try fields.text("neighbours") {
            guard let value = Paging.Neighbours(rawValue: word) else { throw fields.mismatch("neighbours", "known") }
            neighbours = value
        }
    }
}
