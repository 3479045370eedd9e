import LarderSQLite
import LarderTestKit

@testable import LarderKit

/// What must hold after every step.
extension FeedWorld {
    // MARK: What an answer changes

    func checkChange(
        _ change: FeedChange, _ flight: Flight, _ before: StoredFeedState, _ after: StoredFeedState
    ) throws {
        let stamp = flight.page.stamp.order
        let gone = before.items.filter { after.byID[$0.id] == nil }
        let new = after.items.filter { before.byID[$0.id] == nil }
        guard Set(gone.map(\.id)) == Set(change.removed), gone.count == change.removed.count else {
            throw Violation("gone are \(gone.map(\.id)), reported as removed \(change.removed)")
        }
        guard Set(new.map(\.id)) == Set(change.inserted), new.count == change.inserted.count else {
            throw Violation("new are \(new.map(\.id)), reported as inserted \(change.inserted)")
        }
        for item in new where removedAt[item.id] ?? 0 > stamp {
            throw Violation("\(item.id) was known to be gone, and an earlier answer brought it back")
        }
        for item in after.items where before.byID[item.id].map({ $0.text != item.text }) ?? false {
            guard change.updated.contains(item.id) || change.moved.contains(item.id) else {
                throw Violation("\(item.id) changed and was not reported")
            }
        }
        for item in gone { try checkRemoval(item, flight, before) }
    }

    private func checkRemoval(_ item: StoredFeedState.Item, _ flight: Flight, _ before: StoredFeedState) throws {
        let stamp = flight.page.stamp.order
        guard setup.order != .ranked else { throw Violation("a ranked list lost \(item.id)") }
        guard item.stamp < stamp else {
            throw Violation("\(item.id)@\(item.stamp) was removed by the earlier @\(stamp)")
        }
        if showsNothing(flight), setup.emptyPages == .mustComeTwice {
            let isSecond = emptyAnswers.contains {
                $0.stamp > item.stamp && $0.stamp < stamp && covers($0.request, flight.request, item.id, before)
            }
            guard isSecond else {
                throw Violation("one empty answer removed \(item.id)")
            }
        }
        guard !lies.contains(stamp), listing(at: flight.version).places[item.id] != nil else { return }
        // Where items are added again on top, or bounds that are gone are ignored, a page can look as if others had gone.
        guard hasBumped || !ignoredBounds.isEmpty else { throw Violation("\(item.id) was removed and lives") }
    }

    /// Whether an earlier request asked about the place of an item that a later one asks about.
    private func covers(
        _ earlier: PageRequest, _ later: PageRequest, _ id: ItemID, _ state: StoredFeedState
    ) -> Bool {
        guard !setup.order.isByID else {
            return (earlier.above.map { isNewer(id, than: $0) } ?? true)
                && (earlier.below.map { isNewer($0, than: id) } ?? true)
        }
        /// Whether the earlier bound is the later one, or lies further out.
        func isWider(_ earlier: ItemID?, _ later: ItemID?, _ isFurther: (SortKey, SortKey) -> Bool) -> Bool {
            guard let earlier, earlier != later else { return true }
            guard let key = state.byID[earlier]?.key, let bound = later.flatMap({ state.byID[$0]?.key }) else {
                return false
            }
            return isFurther(key, bound)
        }
        return isWider(earlier.above, later.above, <) && isWider(earlier.below, later.below, >)
    }
}
