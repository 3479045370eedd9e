import LarderKit

extension ServedList {
    typealias Rules = SimulatedFeedServer.Rules
    typealias Fault = SimulatedFeedServer.Fault
    typealias Item = SimulatedFeedServer.Item

    /// The status of an answer that is no page.
    struct Refusal: Error {
        let status: Int
    }

    /// What a request gets, as the rules say, with a fault if there is one.
    func page(
        for request: PageRequest, rules: Rules, fault: Fault?
    ) throws(Refusal) -> (items: [Item], hasMore: Bool) {
        if case .status(let status) = fault { throw Refusal(status: status) }
        guard request.limit > 0 else { throw Refusal(status: 400) }

        guard let places = try places(of: try bounds(of: request, rules: rules), rules: rules) else {
            return ([], false)
        }
        let interval = interval(between: places, rules: rules)
        let size = Self.size(limit: min(request.limit, rules.cap), fault: fault)
        let page = places[.min] == nil ? interval.prefix(size) : interval.suffix(size)
        let shown = page.lazy.filter { !$0.isHidden }.map(\.item)
        return (Self.disturb(Array(shown), by: fault), hasMore: page.count < interval.count)
    }

    private static func size(limit: Int, fault: Fault?) -> Int {
        switch fault {
        case .oversize(let extra): limit + extra
        case .short(let missing): max(limit - missing, 0)
        case .empty: 0
        case .duplicate, .unsorted, .status, nil: limit
        }
    }

    private static func disturb(_ items: [Item], by fault: Fault?) -> [Item] {
        switch fault {
        case .duplicate: items.prefix(1) + items
        case .unsorted: items.suffix(1) + items.dropLast()
        case .oversize, .short, .empty, .status, nil: items
        }
    }
}

// MARK: - The interval a request bounds

extension ServedList {
    /// Where an id stands: how many entries are newer than it, and how many when it is counted itself. The two are equal
    /// for an id that is not there, but whose place the order tells.
    private struct Place {
        let newer: Int
        let throughItself: Int
    }

    /// The bounds the server understands, under the names servers use. A request shows a server the end it is counted
    /// from by its `min` and by nothing else.
    private func bounds(of request: PageRequest, rules: Rules) throws(Refusal) -> [Paging.Parameter: ItemID] {
        let named: [Paging.Parameter: String?] = [.since: request.since, .min: request.min, .max: request.max]
        let given = named.compactMapValues { $0.map { ItemID($0) } }
        let understood = given.filter { rules.parameters.contains($0.key) }
        if understood.count < given.count, rules.unsupported == .refused { throw Refusal(status: 400) }
        return understood
    }

    /// The places of the bounds that count, or `nil` when a missing one makes the answer empty.
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

    private func interval(between places: [Paging.Parameter: Place], rules: Rules) -> ArraySlice<Entry> {
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
        return start < end ? entries[start..<end] : []
    }
}
