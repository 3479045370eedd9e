extension PantryModel {
    /// What is wrong with a feed: what it shows as neighbours were neighbours on the server, but for what has been deleted
    /// or was said to be gone; it ends where the list does; and it has what was stored.
    ///
    /// - Parameters:
    ///   - forgets: Whether what was stored may be there no more.
    ///   - isTrimmed: Whether anything may have gone to keep a budget.
    func findings(
        in state: PantryState.Feed, of feed: PantryFeed, forgets: Bool, isTrimmed: Bool = false
    ) -> [String] {
        let list = PantryList(feed: feed, total: totals[feed] ?? 0)
        let shown = Set(state.rows.compactMap(\.id))
        // Of a ranked list, what had moved to a part that was trimmed is missing from where it was before: that is known.
        let isBlind = feed == .trends && (isTrimmed || trimmed.contains(feed))
        var findings: [String] = []
        var above: Int?
        for row in state.rows {
            switch row {
            case .gap: above = nil
            case .item(let id, let text):
                guard let number = PantryList.number(id), number < list.total else {
                    findings.append("\(feed) shows \(id), which its server never had")
                    continue
                }
                if let text, text != list.text(id) { findings.append("\(feed) shows other bytes of \(id)") }
                if let above { findings += between(above, number, in: list, besides: isBlind ? nil : shown) }
                above = number
            }
        }
        if state.isAtEnd, let last = above {
            findings += between(last, -1, in: list, besides: isBlind ? nil : shown).map { "\($0), where it ends" }
        }
        guard !forgets else { return findings }
        // Of what has been deleted meanwhile, any answer may have told.
        let lost = (present[feed] ?? []).subtracting(shown).filter { id in
            PantryList.number(id).map { !list.isDeleted($0) } ?? true
        }
        if !lost.isEmpty { findings.append("\(feed) has lost \(lost.sorted()), which were stored") }
        return findings
    }

    /// - Parameter shown: What the feed shows anywhere: of a ranked list, an item of an earlier answer may have gone to where
    ///   a later one has it. `nil` where what is missing cannot be told.
    private func between(
        _ above: Int, _ below: Int, in list: PantryList, besides shown: Set<Int>?
    ) -> [String] {
        guard above > below else {
            return ["\(list.feed) shows \(PantryList.id(below)) below \(PantryList.id(above))"]
        }
        guard let shown else { return [] }
        let hidden = (below + 1..<above).filter { number in
            let id = PantryList.id(number)
            return !list.isDeleted(number) && !gone.contains(id) && !(list.feed == .trends && shown.contains(id))
        }
        guard !hidden.isEmpty else { return [] }
        return ["\(list.feed) shows nothing between #\(above) and #\(below), where the server has \(hidden)"]
    }
}
