import LarderSQLite
import LarderTestKit

@testable import LarderKit

/// What must hold of what is stored, after every step.
extension FeedWitness {
    // MARK: What is stored

    func check(_ state: StoredFeedState, _ reader: FeedReader, at step: Int, in db: borrowing Connection) throws {
        for item in state.items {
            guard let version = versions[item.stamp] else { continue }
            guard let text = listing(at: version).texts[item.id] else {
                throw Violation("\(item.id) is stored as of @\(item.stamp), when it was not there")
            }
            guard text == item.text else {
                throw Violation("\(item.id) has the text “\(item.text)”, and had “\(text)” at @\(item.stamp)")
            }
        }
        if case .byID = order {
            try checkIntervals(state)
        } else {
            try checkNeighbours(state)
        }
        try checkReadings(state, reader, at: step, in: db)
    }

    /// By id: a segment holds just the ids that the server had in that interval.
    private func checkIntervals(_ state: StoredFeedState) throws {
        for (upper, lower) in zip(state.items, state.items.dropFirst()) where !isNewer(upper.id, than: lower.id) {
            throw Violation("\(upper.id) is stored above \(lower.id)")
        }
        guard case .byID(let order) = order else { return }
        for segment in state.segments where !lies.contains(segment.stamp.order) {
            guard let version = versions[segment.stamp.order] else { continue }
            for id in listing(at: version).ids where segment.span.contains(SortKey(id, order: order)) {
                guard state.byID[id] != nil || isKnown(id, after: segment.stamp.order) else {
                    throw Violation("\(segment.span) @\(segment.stamp.order) lacks \(id)")
                }
            }
        }
    }

    /// By position: what stands next to each other in a run did so on the server when that was proven, save for items
    /// that are known to have gone from between since.
    private func checkNeighbours(_ state: StoredFeedState) throws {
        let places = state.places
        // Once the server has put items beside a bound that was gone, later answers need not show where that was wrong.
        if areAnswersLate, !ignoredBounds.isEmpty { return }
        for (upper, lower) in zip(places, places.dropFirst()) {
            try checkRoom(Span(.above(lower), .below(upper)), state)
        }
        guard let first = places.first, let last = places.last else {
            if !state.segments.isEmpty { try checkRoom(Span(.bottom, .top), state) }
            return
        }
        try checkRoom(Span(.above(first), .top), state)
        try checkRoom(Span(.bottom, .below(last)), state)
    }

    private func checkRoom(_ room: Span, _ state: StoredFeedState) throws {
        guard
            let stamp = state.segments.first(where: { $0.span.intersection(room) == room })?.stamp.order,
            let version = versions[stamp], !lies.contains(stamp)
        else { return }
        // Where a page ends with items that are not shown, a ranked list may get others right there.
        if goesOnFromPlaces, order == .byPosition(.ranked), !hidden.isEmpty { return }
        let list = listing(at: version)
        var between = list.ids[...]
        if case .below(let key) = room.high {
            guard let id = owners[key], let place = try place(of: id, in: list, asOf: stamp) else { return }
            between = between[place.upperBound...]
        }
        if case .above(let key) = room.low {
            guard let id = owners[key], let place = try place(of: id, in: list, asOf: stamp) else { return }
            guard place.lowerBound >= between.startIndex else {
                if goesOnFromPlaces, order == .byPosition(.ranked) { return }
                throw Violation("\(id) stands too low as of @\(stamp)")
            }
            between = between[..<place.lowerBound]
        }
        for id in between where !isKnown(id, after: stamp) {
            throw Violation("nothing is shown in \(room), where \(id) was at @\(stamp)")
        }
    }

    /// The place of an item that bounds what is proven: empty where it has gone from a place that the server remembers.
    /// `nil` when its place is not to be told.
    private func place(of id: ItemID, in list: Listing, asOf stamp: Int64) throws -> Range<Int>? {
        if ignoredBounds.contains(id) { return nil }
        if let place = list.places[id] { return place..<(place + 1) }
        if hidden.contains(id) { return nil }
        guard goesOnFromPlaces else {
            throw Violation("\(id) bounds what is proven as of @\(stamp), when it was not there")
        }
        guard order == .byPosition(.newestOnTop), !hasBumped else { return nil }
        // Items are numbered as they are added on top.
        let place = list.ids.firstIndex { Self.number($0) < Self.number(id) } ?? list.ids.count
        return place..<place
    }

    private static func number(_ id: ItemID) -> Int { Int(id.rawValue.dropFirst()) ?? 0 }

    private func isKnown(_ id: ItemID, after stamp: Int64) -> Bool {
        known[id].map { $0 > stamp } ?? false
    }

    // MARK: What is read

    /// A reading is a piece of one run, from where it was asked for.
    private func checkReadings(
        _ state: StoredFeedState, _ reader: FeedReader, at step: Int, in db: borrowing Connection
    ) throws {
        let runs = state.runs.map { $0.items.map(\.id) }.filter { !$0.isEmpty }
        let gaps = zip(runs, runs.dropFirst()).compactMap { above, below in
            above.last.flatMap { above in below.first.map { Gap(above: above, below: $0) } }
        }
        guard try reader.gaps(in: db) == gaps else { throw Violation("the gaps are \(gaps)") }

        let limit = 3
        let newest = try reader.stretch(at: .newest, limit: limit, in: db)
        try check(newest, limit: limit, in: state.newestRun, from: 0)
        guard !state.items.isEmpty else { return }
        let item = state.items[step % state.items.count]
        guard let run = state.runs.first(where: { $0.span.contains(item.key) }),
            let index = run.items.firstIndex(where: { $0.id == item.id })
        else { return }
        let older = try reader.stretch(at: .older(than: item.id), limit: limit, in: db)
        try check(older, limit: limit, in: run, from: index + 1)
        let newer = try reader.stretch(at: .newer(than: item.id), limit: limit, in: db)
        let shown = newer.items.map(\.id)
        guard shown == run.items[max(0, index - limit)..<index].map(\.id) else {
            throw Violation("newer than \(item.id) are \(shown)")
        }
        guard newer.isComplete == (shown.count == limit || run.span.high == .top) else {
            throw Violation("newer than \(item.id) is complete or not")
        }
    }

    private func check(_ stretch: Stretch, limit: Int, in run: StoredFeedState.Run?, from start: Int) throws {
        let shown = stretch.items.map(\.id)
        let expected = run.map { $0.items.dropFirst(start).prefix(limit).map(\.id) } ?? []
        guard shown == expected else { throw Violation("\(stretch.whole.summary): shown \(shown), not \(expected)") }
        let reachesFloor = run.map { $0.span.low == .bottom && start + shown.count == $0.items.count } ?? false
        let isProven = start > 0 || run?.span.high == .top
        guard stretch.isAtEnd == (reachesFloor && shown.count < limit) else {
            throw Violation("\(stretch.whole.summary): at the end or not")
        }
        guard stretch.isComplete == (isProven && (shown.count == limit || stretch.isAtEnd)) else {
            throw Violation("\(stretch.whole.summary): complete or not")
        }
    }
}
