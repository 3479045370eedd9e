import Foundation
import LarderKit

/// A remark beside a value that is shown.
struct Note: Sendable, Hashable {
    /// One word for programs.
    let kind: String
    let message: String

    init(_ kind: String, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// A first page that is full, and leads nowhere.
    init(unfollowed lack: String) {
        self.init(
            "unfollowed",
            "the page is full and has \(lack), so the list is taken to end with it. If it goes on, check --paging and --next."
        )
    }

    init(_ warning: ReadingWarning, folder: URL) {
        switch warning {
        case .notPlaced(let count):
            self.init(
                "notPlaced",
                "\(Units.count(count, "item")) not kept: nothing tells where they belong in the list. "
                    + "Read on from an item that is stored.")
        case .notKept(let error):
            self.init("notKept", "shown, and not kept: \(Trouble(error, folder: folder).message)")
        case .superseded:
            self.init("superseded", "a later answer is stored already; this one is shown and not kept")
        case .undecodableItems(let items):
            let ids = items.prefix(5).map { Printable.line($0.id.rawValue) }.joined(separator: ", ")
            self.init(
                "undecodableItems", "\(Units.count(items.count, "item")) cannot be read and not shown, such as \(ids)")
        case .itemsWithoutID(let count):
            self.init(
                "itemsWithoutID",
                "\(Units.count(count, "item")) without an id not kept; what stands around is not taken for neighbours")
        case .duplicates(let count):
            self.init(
                "duplicates",
                "the server gave \(Units.count(count, "item")) twice in one page; the first place counts. "
                    + "Check that --id names what tells items apart.")
        case .outsideInterval(let count):
            self.init(
                "outsideInterval",
                "\(Units.count(count, "item")) outside what was asked for; kept, and taken as proof of nothing. "
                    + "Check --since-param, --max-param and --order.")
        case .outOfOrder:
            self.init(
                "outOfOrder",
                "the page is not in the feed's order, so nothing is known of what stands between its items. "
                    + "Check --order.")
        case .cutToSize(let count):
            self.init(
                "cutToSize",
                "the server gave far more than was asked for; \(Units.count(count, "item")) left out at the far end")
        case .assumedNeighbours(let count):
            self.init(
                "assumedNeighbours",
                "\(Units.count(count, "seam")) between pages: they are shown as neighbours, and nothing proves it")
        case .stalled(let reason):
            self.init("stalled", "\(ReadingWarning.stalled(reason)); 'refresh' starts anew (\(reason.rawValue))")
        case .emptyAnswerDistrusted:
            self.init(
                "emptyAnswerDistrusted",
                "the server showed nothing where items are stored; they go if it does so once more")
        }
    }
}

extension [ReadingWarning] {
    /// What among the warnings makes the whole a failure although something is shown: the cache does not hold it, or the
    /// answer broke a rule that every page must keep.
    func trouble(folder: URL) -> Trouble? {
        for case .notKept(let error) in self {
            let trouble = Trouble(error, folder: folder)
            return Trouble(
                trouble.kind, "what is shown could not be kept: \(trouble.message)", exitCode: trouble.exitCode)
        }
        for case .duplicates(let count) in self {
            return Trouble(
                "duplicates", Note(.duplicates(count: count), folder: folder).message, exitCode: .dataError)
        }
        return nil
    }
}
