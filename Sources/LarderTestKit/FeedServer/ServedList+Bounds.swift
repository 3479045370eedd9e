import LarderKit

/// What a request bounds by ids.
extension ServedList {
    /// Where an id stands: how many entries are newer than it, and how many when it is counted itself. The two are equal
    /// for an id that is not there, but whose place the order tells.
    private struct Place {
        let newer: Int
        let throughItself: Int
    }

    /// The interval between the bounds that count, or `nil` when a missing one makes the answer empty.
    func interval(boundedBy request: PageRequest, rules: Rules) throws(Refusal) -> Interval? {
        guard let places = try places(of: try bounds(of: request, rules: rules), rules: rules) else { return nil }
        return Interval(entries: entries(between: places, rules: rules), isCountedFromOldest: places[.min] != nil)
    }

    /// The bounds the server understands, under the names servers use. A request shows a server the end it is counted
    /// from by its `min` and by nothing else.
    private func bounds(of request: PageRequest, rules: Rules) throws(Refusal) -> [Paging.Parameter: ItemID] {
        let named: [Paging.Parameter: String?] = [.since: request.since, .min: request.min, .max: request.max]
        let given = named.compactMapValues { $0.map { ItemID($0) } }
        let understood = given.filter { rules.continuations == .none && rules.parameters.contains($0.key) }
        if understood.count < given.count, rules.unsupported == .refused { throw Refusal(status: 400) }
        return understood
    }

    private func places(
        of bounds: [Paging.Parameter: ItemID], rules: Rules
    ) throws(Refusal) -> [Paging.Parameter: Place]? {
        var places: [Paging.Parameter: Place] = [:]
        for (parameter, id) in bounds {
            if let place = try place(of: id) {
                places[parameter] = place
                continue
            }
            switch rules.missingAnchor {
            case .notFound: throw Refusal(status: 404)
            case .empty: return nil
            case .fromTheHead: continue
            }
        }
        return places
    }

    /// By id, every id has a place; by position, only one that is there.
    private func place(of id: ItemID) throws(Refusal) -> Place? {
        guard order.isByID else {
            return entries.firstIndex { $0.id == id }.map { Place(newer: $0, throughItself: $0 + 1) }
        }
        if order == .decimal, !DecimalID.isDecimal(id) { throw Refusal(status: 400) }
        let newer = entries.firstIndex { !order.isNewer($0.id, than: id) } ?? entries.endIndex
        let throughItself = entries[newer...].firstIndex { order.isNewer(id, than: $0.id) } ?? entries.endIndex
        return Place(newer: newer, throughItself: throughItself)
    }

    private func entries(between places: [Paging.Parameter: Place], rules: Rules) -> Range<Int> {
        var start = entries.startIndex
        var end = entries.endIndex
        for (parameter, place) in places {
            let isInclusive = rules.inclusive.contains(parameter)
            if parameter == .max {
                start = isInclusive ? place.newer : place.throughItself
            } else {
                end = isInclusive ? place.throughItself : place.newer
            }
        }
        return start..<max(start, end)
    }
}
