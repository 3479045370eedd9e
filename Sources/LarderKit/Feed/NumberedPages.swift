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
        guard let mark = page.request.edge, let number = page.request.pageNumber, number > asking.feed.paging.firstPage,
            let edge = try asking.edge(mark)
        else { return await asking.take(page) }
        let upper = try await asking.ask(check(number, edge))
        if try isUnchanged(upper, above: mark) { return await asking.take(page.checked()) }

        let repaired = await asking.take(upper)
        guard repaired.storageError == nil else { return repaired }
        guard let again = try lowerRequest(page.request, below: upper) else {
            // The numbers have shifted so far that neither page hangs on what is known: the edge gives way to one further up.
            var landed = await asking.take(page)
            landed.change.add(repaired.change)
            return landed
        }
        let lower = try await asking.ask(again)
        var landed = await asking.take(lower.ids == page.ids ? lower.checked() : lower)
        landed.change.add(repaired.change)
        return landed
    }

    private func check(_ number: Int, _ edge: FeedEdge) -> PageRequest {
        var request = PageRequest(limit: edge.size, continuation: .page(number - 1))
        // That of the first page says nothing of the head here: it is only compared.
        request.edge = number - 1 > asking.feed.paging.firstPage ? EdgeMark(cut: .top, stamp: 0) : nil
        // Validators belong to the page they came with, and to no other of the same bytes.
        if !edge.validators.isEmpty, edge.shift == 0 { request.validators = edge.validators }
        return request
    }

    private func isUnchanged(_ upper: IncomingPage, above mark: EdgeMark) throws -> Bool {
        if upper.follows == .unchanged { return true }
        let ids = upper.ids.compactMap { $0 }
        guard !ids.isEmpty, ids.count == upper.ids.count else { return false }
        return try asking.stored(above: mark, count: ids.count) == ids
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
