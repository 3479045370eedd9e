import Foundation

/// Settles whether two pages with neighbouring numbers were neighbours on the server, where they share no item.
///
/// Places of numbered pages shift with what is added and deleted above them. A page that was asked for between two answers
/// for the page above it that are the same began right below that one. (What was added and deleted in equal numbers in
/// between goes unnoticed; paging by offset overlaps and has no such hole.)
struct NumberedPages<Item: Sendable>: Sendable {
    let asking: FeedAsking<Item>

    /// Takes a page in with one more request, or two when the page above has changed: itself once more, between which the page
    /// above then lies.
    func settle(_ page: IncomingPage) async throws -> FeedFetch<Item>.Landed {
        guard let mark = page.request.edge, let number = page.request.numberOfPage,
            number > asking.feed.paging.firstPage,
            let edge = try asking.edge(mark)
        else { return try await asking.take(page) }
        let upper = try await asking.ask(check(number, edge))
        // What the page above showed under another number says nothing of when it moved to this one.
        let isSameNumber = edge.continuation == .page(number)
        if isSameNumber, try isUnchanged(upper, above: mark) { return try await asking.take(page.checked()) }

        let repaired = try await asking.take(upper)
        guard repaired.storageError == nil else { return repaired }
        // The pages have moved: from where they end now leads on what they brought, or from further up, where neither hangs on what
        // is known any more.
        try await asking.remove(mark)
        guard let again = try lowerRequest(page.request, below: upper) else {
            return repaired
        }
        let lower = try await asking.ask(again)
        var landed = try await asking.take(lower.ids == page.ids ? lower.checked() : lower)
        landed.change.add(repaired.change)
        return landed
    }

    private func check(_ number: Int, _ edge: FeedEdge) -> PageRequest {
        var request = PageRequest(limit: edge.size, continuation: .page(number - 1))
        // That of the first page says nothing of the head here: it is only compared.
        request.edge = number - 1 > asking.feed.paging.firstPage ? EdgeMark(cut: .top, stamp: 0) : nil
        // Validators belong to the page they came with, and to no other of the same bytes.
        if !edge.validators.isEmpty, edge.continuation == .page(number) { request.validators = edge.validators }
        return request
    }

    private func isUnchanged(_ upper: IncomingPage, above mark: EdgeMark) throws -> Bool {
        if upper.follows == .unchanged { return true }
        let ids = upper.ids.compactMap { $0 }
        guard !ids.isEmpty, ids.count == upper.ids.count else { return false }
        // Of the page as it was, some may have been forgotten since; where its last item stands is what counts.
        let isRanked = asking.feed.paging.order == .byPosition(.ranked)
        let stored = try asking.stored(above: mark, count: isRanked ? 1 : ids.count)
        let isLast = zip(ids.reversed(), stored.reversed()).prefix { $0 == $1 }.count
        if isRanked || stored.isEmpty || isLast == stored.count { return !stored.isEmpty && isLast == stored.count }
        // What is pinned stands on top of every page, and is stored where it stood first.
        let others = ids.dropLast(isLast)
        guard isLast > 0, others.allSatisfy({ !stored.contains($0) }) else { return false }
        return try asking.areStored(Array(others))
    }

    /// The lower page once more, from where the upper one ends now.
    private func lowerRequest(_ request: PageRequest, below upper: IncomingPage) throws -> PageRequest? {
        guard let last = upper.ids.last.flatMap({ $0 }), let mark = try asking.edgeMark(below: last) else { return nil }
        var again = PageRequest(below: last, limit: request.limit, continuation: request.continuation)
        again.edge = mark
        return again
    }
}

extension IncomingPage {
    /// The page, known to begin right below the item it was to go on from.
    fileprivate func checked() -> IncomingPage {
        var page = self
        page.isAnchorChecked = true
        return page
    }
}
