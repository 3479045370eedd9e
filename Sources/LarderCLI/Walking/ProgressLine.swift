import LarderKit
import Synchronization

/// How far a walk has come, on one line of a terminal that is written anew with each step. Elsewhere it writes nothing.
///
/// State: `isShown`, under its lock.
final class ProgressLine: Sendable {
    private let terminal: Terminal
    private let items: Int
    private let session: FeedSession
    private let isShown = Mutex(false)

    /// - Parameter items: How many are stored before the walk.
    init(_ terminal: Terminal, items: Int, _ session: FeedSession) {
        self.terminal = terminal
        self.items = items
        self.session = session
    }

    func show(_ tally: FeedTally) {
        guard terminal.isTerminal else { return }
        let items = items + tally.inserted.count - tally.removed.count
        // What cannot be looked at now is left out; the walk itself meets the trouble, and tells it.
        let gaps = try? session.feed.gaps().count
        let text = Self.text(items: items, requests: session.source.requests, gaps: gaps)
        isShown.withLock { $0 = true }
        try? StandardStream.error.write("\r" + Printable.cut(text, to: terminal.width - 1) + "\u{1B}[K")
    }

    static func text(items: Int, requests: Int, gaps: Int?) -> String {
        let known = "\(Units.count(items, "item")), \(Units.count(requests, "request"))"
        return gaps.map { "\(known), \(Units.count($0, "gap")) left" } ?? known
    }

    /// Makes room for what is written next.
    func clear() {
        guard isShown.withLock({ $0 }) else { return }
        try? StandardStream.error.write("\r\u{1B}[K")
    }
}
