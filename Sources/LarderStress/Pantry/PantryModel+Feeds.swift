extension PantryModel {
    /// What is wrong with a feed: what it shows as neighbours were neighbours on the server, but for what has been deleted
    /// or was said to be gone; it ends where the list does; and it has what was stored.
    func findings(in state: PantryState.Feed, of feed: PantryFeed, forgets: Bool) -> [String] {
        let list = PantryList(feed: feed, total: totals[feed] ?? 0)
        let shown = Set(state.rows.compactMap(\.id))
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
                if let above { findings += between(above, number, in: list) }
                above = number
            }
        }
        if state.isAtEnd, let last = above {
            findings += between(last, -1, in: list).map { "\($0), where it ends" }
        }
        guard !forgets else { return findings }
        // Of what has been deleted meanwhile, any answer may have told.
        let lost = (present[feed] ?? []).subtracting(shown).filter { id in
            PantryList.number(id).map { !list.isDeleted($0) } ?? true
        }
        if !lost.isEmpty { findings.append("\(feed) has lost \(lost.sorted()), which were stored") }
        return findings
    }

    private func between(_ above: Int, _ below: Int, in list: PantryList) -> [String] {
        guard above > below else {
            return ["\(list.feed) shows \(PantryList.id(below)) below \(PantryList.id(above))"]
        }
        // Of a ranked list, what had moved to a part that was trimmed is missing from where it was before: that is known.
        if list.feed == .trends { return [] }
        let hidden = (below + 1..<above).filter { number in
            let id = PantryList.id(number)
            return !list.isDeleted(number) && !gone.contains(id)
        }
        guard !hidden.isEmpty else { return [] }
        return ["\(list.feed) shows nothing between #\(above) and #\(below), where the server has \(hidden)"]
    }
}
