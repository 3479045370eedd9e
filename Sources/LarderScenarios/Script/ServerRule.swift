/// How the server of a case answers.
struct ServerRule: Sendable, Hashable {
    /// What the server makes of a bound by an item's id.
    struct Bound: Sendable, Hashable {
        var isUnderstood = true
        var isInclusive = false
        /// The items next above the bound are given, and not the newest ones.
        var countsFromOldest = false
    }

    /// What a cursor, or a link, points to.
    enum Token: Sendable, Hashable {
        /// The first item not given yet, wherever it stands by then.
        case item
        /// A number of items to leave out: what is added or deleted on top shifts it.
        case index
        /// A page's number.
        case pageNumber
        /// The id of the last item given, as the bound `max_id`.
        case maxID
    }

    var limit = 20
    /// The largest page, whatever is asked for.
    var cap: Int?
    var since = Bound()
    var max = Bound()
    /// `nil` where the server does not know `min_id`.
    var min: Bound?
    var firstPage = 1
    var token = Token.item
    var isRanked = false

    static let known: Set<String> = [
        "limit", "cap", "maxLimit", "order", "since_id", "max_id", "min_id", "since", "max", "min", "page", "offset",
        "cursor",
        "link",
    ]

    init() {}

    init(_ fields: ScriptFields) throws(CaseFailure) {
        let place = fields.place
        limit = try fields.count("limit") ?? 20
        guard limit > 0 else { throw fields.mismatch("limit", "at least 1") }
        cap = try fields.count(fields["cap"] == nil ? "maxLimit" : "cap")
        if let order = try fields.text("order") { isRanked = try Self.isRanked(order, "\(place).order") }
        since = try Self.bound(fields, "since_id") ?? Bound()
        max = try Self.bound(fields, "max_id", isUpper: true) ?? Bound()
        min = try Self.bound(fields, "min_id", countsFromOldest: true)
        if fields["max_id"] != nil || fields["max"] != nil { token = .maxID }
        if let page = try fields.text("page") {
            let wording = try Wording(page, vocabulary: Self.pageWords, at: "\(place).page")
            firstPage = wording.says("0", "zero") ? 0 : 1
            token = .pageNumber
        }
        if let offset = try fields.text("offset") {
            _ = try Wording(offset, vocabulary: Self.pageWords, at: "\(place).offset")
            token = .index
        }
        for name in ["cursor", "link"] {
            guard let text = try fields.text(name) else { continue }
            let wording = try Wording(text, vocabulary: Self.tokenWords, at: "\(place).\(name)")
            if wording.says("page", "number") {
                token = .pageNumber
            } else {
                token = wording.says("offset", "index") ? .index : .item
            }
        }
    }

    private static func bound(
        _ fields: ScriptFields, _ name: String, isUpper: Bool = false, countsFromOldest: Bool = false
    ) throws(CaseFailure) -> Bound? {
        let (long, short) = (try fields.text(name), try fields.text(String(name.dropLast(3))))
        guard let text = long ?? short else { return nil }
        let place = "\(fields.place).\(name)"
        let wording = try Wording(text, vocabulary: boundWords, at: place)
        let isBelow = try wording.choice(["below", "older"], or: ["above", "newer"], at: place)
        guard isBelow == nil || isBelow == isUpper else {
            throw CaseFailure("contradictory wording \(JSONString.quoting(text)) in \(place)")
        }
        var bound = Bound(countsFromOldest: countsFromOldest)
        bound.isUnderstood = !wording.says("ignored", "unsupported", "none")
        bound.isInclusive =
            try wording.choice(Self.inclusiveWords, or: Self.exclusiveWords, at: place) ?? false
        if !isUpper {
            bound.countsFromOldest =
                try wording.choice(["next", "oldest"], or: ["newest", "latest"], at: place) ?? countsFromOldest
        }
        return bound
    }

    static func isRanked(_ text: String, _ place: String) throws(CaseFailure) -> Bool {
        try Wording(text, vocabulary: orderWords, at: place).says("ranked")
    }

    private static let inclusiveWords: Set<String> = ["inclusive", "equal", "at", "including", "included", "includes"]
    private static let exclusiveWords: Set<String> = ["exclusive", "strictly", "excluding", "excluded", "excludes"]
    private static let boundWords: Set<String> = inclusiveWords.union(exclusiveWords).union(otherBoundWords)
    private static let otherBoundWords: Set<String> = [
        "newest", "latest", "next", "oldest", "n", "limit", "items", "item", "ids", "id", "above", "below", "newer",
        "older",
        "than", "it", "the", "bound", "itself", "or", "and", "to", "ignored", "immediately", "directly", "just",
        "right",
        "unsupported", "none", "up", "page", "of", "first",
    ]
    private static let orderWords: Set<String> = [
        "newest", "first", "as", "listed", "on", "page", "1", "by", "id", "else", "in", "list", "server", "order",
        "given",
        "descending", "decreasing", "ranked", "top", "the",
    ]
    private static let pageWords: Set<String> = [
        "offset", "index", "based", "page", "number", "one", "zero", "0", "1", "from", "starting", "starts", "counted",
        "at",
        "of", "the", "by", "list", "current", "items", "leave", "out", "skip", "n", "limit", "and", "into", "in",
        "counts",
    ]
    private static let tokenWords: Set<String> = [
        "opaque", "after", "behind", "last", "item", "items", "the", "id", "of", "stable", "offset", "index", "based",
        "position", "cursor", "token", "points", "to", "next", "page", "number", "it", "given", "exclusive", "strictly",
        "below",
        "header", "body", "in", "link", "rel", "a", "first",
    ]
}
