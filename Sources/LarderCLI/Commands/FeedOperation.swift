import LarderKit

/// What `larder feed` is to do with a list.
enum FeedOperation: Sendable, Hashable {
    /// Show a page.
    case page(FeedPosition)
    /// Ask for the head.
    case refresh
    /// Ask for what is older than everything stored.
    case older
    /// Bring in everything.
    case all
    /// List the gaps.
    case gaps
    /// Fill a gap, counted from 1; the first where none is named.
    case fill(Int?)
    /// Show everything stored, with its gaps.
    case show
    /// Refresh again and again.
    case watch

    /// The word behind the URL.
    var word: String {
        switch self {
        case .page(.newest): "newest"
        case .page(.older), .older: "older"
        case .page(.newer): "newer"
        case .refresh: "refresh"
        case .all: "all"
        case .gaps: "gaps"
        case .fill: "fill"
        case .show: "show"
        case .watch: "watch"
        }
    }

    /// Whether the server is always asked, `nil` where the policy says so.
    var asks: Bool? {
        switch self {
        case .page: nil
        case .refresh, .older, .all, .fill, .watch: true
        case .gaps, .show: false
        }
    }

    static let words = ["newest", "older", "newer", "refresh", "all", "gaps", "fill", "show", "watch"]

    /// - Parameters:
    ///   - word: What stands behind the URL.
    ///   - argument: What stands behind that.
    init(_ word: String?, _ argument: String?) throws(UsageError) {
        let id = argument.map { ItemID($0) }
        switch (word, id) {
        case (nil, _), ("newest", nil): self = .page(.newest)
        case ("older", let id?): self = .page(.older(than: try Self.checked(id)))
        case ("newer", let id?): self = .page(.newer(than: try Self.checked(id)))
        case ("older", nil): self = .older
        case ("newer", nil):
            throw UsageError(
                "newer needs the ID of an item behind it; 'refresh' asks for what is newer than everything stored")
        case ("refresh", nil): self = .refresh
        case ("all", nil): self = .all
        case ("gaps", nil): self = .gaps
        case ("fill", nil): self = .fill(nil)
        case ("fill", let text?):
            guard let number = Int(text.rawValue), number > 0 else {
                throw UsageError("fill takes the number of a gap, as 'gaps' lists them, such as: fill 1")
            }
            self = .fill(number)
        case ("show", nil): self = .show
        case ("watch", nil): self = .watch
        case ("newest", _?): throw UsageError("newest takes no ID; 'older ID' and 'newer ID' do")
        case (let word?, _?) where Self.words.contains(word): throw UsageError("\(word) takes nothing behind it")
        case (let word?, _):
            let hint = Suggestion.nearest(to: word, among: Self.words).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("behind the URL stands one of \(Self.words.joined(separator: ", ")), not '\(word)'\(hint)")
        }
    }

    private static func checked(_ id: ItemID) throws(UsageError) -> ItemID {
        guard !id.rawValue.isEmpty else { throw UsageError("an item's ID is never empty") }
        return id
    }
}
