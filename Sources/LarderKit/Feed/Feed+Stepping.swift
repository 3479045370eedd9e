import Foundation
import LarderSQLite

/// The side of a gap that it is filled from.
public enum GapSide: Sendable, Hashable {
    /// Downward, from the item above the gap.
    case newer
    /// Upward, from the item below the gap.
    case older
}

extension Feed {
    /// Asks for what lies below everything that is stored: one step, by one request, or none when the feed is known to end
    /// there (``FeedChange/isAtEnd``).
    @discardableResult
    public func loadOlder(limit: Int = 20) async throws(LarderError) -> FeedChange {
        throw .fetch(FetchFailure(.other, "not there yet"))
    }

    /// Fills a gap by one step, from one of its sides; the app decides how far.
    ///
    /// It closes only on evidence. What is left of it is ``FeedChange/remaining``. Where the server's paging cannot be
    /// asked from the side that is wished for, the other one is taken. A gap that is none any more costs no request.
    @discardableResult
    public func fill(
        _ gap: Gap, from side: GapSide = .newer, limit: Int = 20
    ) async throws(LarderError) -> FeedChange {
        throw .fetch(FetchFailure(.other, "not there yet"))
    }
}
