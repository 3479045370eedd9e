import LarderSQLite

/// Takes an answer into a feed's tables: places it, claims what it proves, and keeps items and proofs in step.
struct FeedWriter {
    let partition: String
    let name: String
    let paging: Paging
    var spacing = KeySpacing.standard
    var fruitlessPages = 10
    var keep = FeedKeep.everything
    /// The kind of item that the feed shares with others.
    var sharing: String?
    /// In milliseconds since 1970: what is written is used.
    var now: Int64 = 0

    /// Applies one answer, inside the caller's transaction.
    func apply(_ page: IncomingPage, in db: borrowing Connection) throws -> FeedChange {
        do {
            return try take(page, in: db)
        } catch is PositionPlacement.NoRoom {
            // Nothing was written yet.
            let table = PositionTable(feed: try openRow(in: db).id, spacing: spacing)
            let moved = try table.spread(roomFor: page.ids.count, in: db)
            var page = page
            page.request.edge = page.request.edge.map { EdgeMark(cut: moved[$0.cut] ?? $0.cut, stamp: $0.stamp) }
            var change = try take(page, in: db)
            // No key that a follower knows means the same any more.
            change.touched.append(Span(.bottom, .top))
            return change
        }
    }

    private func take(_ page: IncomingPage, in db: borrowing Connection) throws -> FeedChange {
        var row = try openRow(in: db)
        let items = ItemTable(feed: row.id, order: paging.order)
        let segments = SegmentTable(feed: row.id)
        let isLatest = page.stamp.order >= row.latest
        row.latest = max(row.latest, page.stamp.order)
        row.largestPage = max(row.largestPage, Sightings(page.ids).size)

        let edges = EdgeTable(feed: row.id)
        let asked = try askedEdge(page, edges, in: db)
        let earlierHead =
            paging.usesContinuations && page.request.isOfTheHead
            ? try segments.segments(touching: Span(.top, .top), in: db).last?.stamp.order : nil
        let facts = PageFacts(
            request: page.request, ids: page.ids, follows: page.follows, largestPage: row.largestPage,
            continuity: continuity(of: page, from: asked), isAnchorChecked: isAnchorChecked(page),
            edge: asked?.cut)
        let placement = try place(facts, stamp: page.stamp, isLatest: isLatest, row: row, in: db)
        var change = FeedChange(feed: row.id, oddities: placement.oddities)
        change.unplaced =
            Set(page.ids.compactMap { $0 }).subtracting(facts.bounds)
            .subtracting(placement.items.map(\.id)).count

        var claims = placement.claims
        if let span = placement.emptied {
            change.distrustsEmptyAnswer = try !believesEmpty(
                span, page.stamp, isLatest: isLatest, &row, items, in: db)
            if !change.distrustsEmptyAnswer { claims.append(span) }
        }
        // What was shown as empty and shows something is not.
        if let pending = row.pendingEmpty, placement.items.contains(where: { pending.span.contains($0.key) }) {
            row.pendingEmpty = nil
        }
        let settled = try segments.claim(claims, stamp: page.stamp, in: db)
        for span in placement.releases {
            try segments.release(span, before: page.stamp, in: db)
        }
        if let span = try endTakenBack(by: page, placement, settled: settled, items, in: db) {
            try segments.release(span, before: page.stamp, in: db)
            change.touched.append(span)
        }
        try settleEnd(page, placement, isLatest: isLatest, &row, items, in: db, &change)
        try store(placement, page, settled: settled, items, row: row, in: db, &change)
        if paging.order == .byPosition(.ranked) {
            try leave(placement.departures, stamp: page.stamp, items, segments, edges, in: db)
        }
        try settleEdges(
            page, placement, settled: settled, asked: asked, earlierHead: earlierHead, change, edges, in: db)
        change.touched +=
            claims + placement.releases + placement.departures.map { Span(of: $0) }
        change.leftOut = page.leftOut
        if let envelope = page.envelope {
            let table = EnvelopeTable(feed: row.id)
            try table.save(envelope, stamp: page.stamp, in: db)
            try table.sweep(in: db)
        }
        if page.request.isOfTheHead, keep != .everything, !row.isPinned {
            change.touched += try FeedTrim(feed: row.id, order: paging.order).run(keep, now: now, in: db)
        }
        row.usedAt = max(row.usedAt, now)
        try row.save(in: db)
        return change
    }

    /// The feed's row, made when there is none. When the app declares another paging than the stored proofs depend on,
    /// the items stay and the proofs go.
    func openRow(in db: borrowing Connection) throws -> FeedRow {
        var row =
            try FeedRow.load(partition: partition, name: name, in: db)
            ?? FeedRow.create(partition: partition, name: name, paging: paging, in: db)
        if row.paging != paging.fingerprint {
            try FeedRekeying(partition: partition, name: name, row: row, paging: paging).run(in: db)
            row = try FeedRow.load(partition: partition, name: name, in: db) ?? row
        }
        if let sharing, row.kind != sharing { try row.setKind(sharing, in: db) }
        return row
    }

    /// Whether an empty answer may remove what is stored in `span`: at once where that is declared, else the second time.
    /// The first time is one that no later answer has preceded, for it must speak of what is stored now.
    func believesEmpty(
        _ span: Span, _ stamp: Stamp, isLatest: Bool, _ row: inout FeedRow, _ items: ItemTable,
        in db: borrowing Connection
    ) throws -> Bool {
        guard paging.emptyPages == .mustComeTwice, try items.hasItems(in: span, in: db) else { return true }
        if let pending = row.pendingEmpty, pending.span.intersection(span) == span, pending.order < stamp.order {
            row.pendingEmpty = nil
            return true
        }
        if isLatest { row.pendingEmpty = FeedRow.PendingEmpty(span: span, order: stamp.order) }
        return false
    }

    private func place(
        _ facts: PageFacts, stamp: Stamp, isLatest: Bool, row: FeedRow, in db: borrowing Connection
    ) throws -> PagePlacement {
        switch paging.order {
        case .byID(let order):
            return IDPlacement(order: order, paging: paging).place(facts)
        case .byPosition(let order):
            let algebra = PositionPlacement(order: order, paging: paging, spacing: spacing)
            let table = PositionTable(feed: row.id, spacing: spacing)
            var placement = try algebra.place(
                facts, among: table.facts(for: facts, stamp: stamp, isLatest: isLatest, in: db))
            if !isLatest, try table.hasLaterWord(than: stamp, in: placement.claims, in: db) {
                placement = PagePlacement(oddities: placement.oddities)
            }
            return placement
        }
    }

    /// Writes the items whose place this answer settles, and removes what it shows to be gone from there.
    private func store(
        _ placement: PagePlacement, _ page: IncomingPage, settled: [Span], _ items: ItemTable, row: FeedRow,
        in db: borrowing Connection, _ change: inout FeedChange
    ) throws {
        let gone = try GoneItems(partition: partition).since(page.stamp, in: db)
        let placed = placement.items.filter { item in
            !gone.contains(item.id) && settled.contains(item.key)
        }
        let departures = Set(placement.departures)
        var moved: Set<ItemID> = []
        for item in placed where !departures.isEmpty {
            // An item that has moved leaves its old place before it takes the new one.
            guard let old = try items.key(of: item.id, in: db), departures.contains(old) else { continue }
            try items.remove(old, in: db)
            change.moved.append(item.id)
            moved.insert(item.id)
        }
        var stored: Set<SortKey> = []
        for span in settled {
            stored.formUnion(try items.keys(in: span, in: db))
        }
        let codec = try CodecTable.number(of: page.codec, in: db)
        var written: [PagePlacement.Item] = []
        try db.withStatement(ItemTable.upsert) { upsert in
            for item in placed.reversed() {
                try page.bodies.withBytes(at: item.index) { body in
                    try items.run(upsert, item, body: body, codec: codec, storedAt: page.storedAt)
                }
                guard db.changes > 0 else { continue }
                written.append(item)
                if stored.contains(item.key) {
                    change.updated.append(item.id)
                } else if !moved.contains(item.id) {
                    change.inserted.append(item.id)
                    change.insertedKeys.append(item.key)
                }
            }
        }
        for key in stored.subtracting(placed.map(\.key)).sorted(by: >) {
            if let id = try items.id(at: key, in: db) { change.removed.append(id) }
            try items.remove(key, in: db)
        }
        change.shared = try share(written, of: page, codec: codec, row: row, in: db)
        change.inserted.reverse()
        change.insertedKeys.reverse()
        change.updated.reverse()
    }
}
