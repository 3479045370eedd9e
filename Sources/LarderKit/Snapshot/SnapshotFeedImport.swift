import Foundation
import LarderSQLite

/// The feeds of a snapshot, as they are taken in.
struct SnapshotFeedImport {
    /// A feed that is being taken in.
    fileprivate final class Target {
        let row: FeedRow
        let place: StoreKey
        let paging: Paging
        let edges: SnapshotSum
        /// Proven stretches by the snapshot's word, lowest first, and what has come of their items.
        var segments: [(claimed: SnapshotSegment, found: SnapshotSum)] = []
        var isIntact = true

        init(row: FeedRow, place: StoreKey, paging: Paging, edges: SnapshotSum) {
            self.row = row
            self.place = place
            self.paging = paging
            self.edges = edges
        }

        var order: Paging.Order { paging.order }
    }

    /// By their numbers in the snapshot; `nil` for those that are left out.
    private var targets: [Int64: Target?] = [:]
    private var codecs: [CodecID: Int64] = [:]

    static func run(
        _ run: inout SnapshotImportRun, from snapshot: borrowing Connection, into cache: borrowing Connection
    ) throws {
        var feeds = SnapshotFeedImport()
        try feeds.openFeeds(&run, from: snapshot, into: cache)
        try feeds.readSegments(run, from: snapshot)
        try feeds.takeItems(&run, from: snapshot, into: cache)
        try feeds.settleSegments(run, into: cache)
        try feeds.takeEdges(run, from: snapshot, into: cache)
        try feeds.takeEnvelopes(&run, from: snapshot, into: cache)
        try feeds.finish(into: cache)
    }

    private mutating func openFeeds(
        _ run: inout SnapshotImportRun, from snapshot: borrowing Connection, into cache: borrowing Connection
    ) throws {
        var met = 0
        var places: Set<StoreKey> = []
        try run.file.walk("snapshot_feed", SnapshotFeed.columns, in: snapshot) { row, number in
            met += 1
            guard let feed = try SnapshotFeed(row, id: number, from: 1), feed.latest <= run.about.stamp,
                let paging = try? Paging(fingerprint: feed.paging), paging.fingerprint == feed.paging,
                places.insert(feed.place).inserted
            else { return run.outcome.report.leaveOut(.damaged) }
            targets[number] = .some(nil)
            guard let (place, state) = run.place(of: feed.place) else {
                return run.outcome.report.leaveOut(.signedOut)
            }
            let latest = run.shifted(feed.latest)
            let admission = Admission(partition: state, name: place.key, tags: [], stamp: latest)
            switch try admission.verdict(in: cache, under: run.policy) {
            case .admitted: break
            case .outdated, .removed: return run.outcome.report.leaveOut(.isNewerHere)
            case .signedOut: return run.outcome.report.leaveOut(.signedOut)
            }
            let now = run.core.environment.clock.now().millisecondsSince1970
            guard let row = try Self.openRow(feed, place, latest: latest, at: now, run.policy, in: cache) else {
                return run.outcome.report.leaveOut(.isThereAlready)
            }
            targets[number] = Target(row: row, place: place, paging: paging, edges: feed.edges)
            run.outcome.report.feeds += 1
        }
        run.outcome.report.leaveOut(.damaged, count: run.about.feeds - met)
    }

    /// The row of a feed, with nothing under it; `nil` where something is stored that stays.
    private static func openRow(
        _ feed: SnapshotFeed, _ place: StoreKey, latest: Int64, at now: Int64, _ policy: SnapshotPolicy,
        in cache: borrowing Connection
    ) throws -> FeedRow? {
        let stored = try FeedRow.load(partition: place.partition, name: place.key, in: cache)
        if let stored {
            let isThere = try isAnythingStored(of: stored.id, in: cache)
            guard policy == .replace || !isThere else { return nil }
            try removeAll(of: stored.id, in: cache)
        }
        var row: FeedRow
        if let stored, stored.paging == feed.paging {
            row = stored
        } else {
            // Whoever still holds the number of one declared in another way finds nothing under it.
            if let stored { try FeedRow.remove(stored.id, in: cache) }
            let paging = try Paging(fingerprint: feed.paging)
            row = try FeedRow.create(partition: place.partition, name: place.key, paging: paging, in: cache)
            if let stored { try row.setPinned(stored.isPinned, in: cache) }
        }
        row.latest = max(latest, stored?.latest ?? 0)
        row.largestPage = feed.largestPage
        row.pendingEmpty = nil
        row.usedAt = max(row.usedAt, now)
        try row.save(in: cache)
        if let kind = feed.kind { try row.setKind(kind, in: cache) }
        return row
    }

    private static func isAnythingStored(of feed: Int64, in cache: borrowing Connection) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM larder_feed_item WHERE feed = ?1)
                OR EXISTS (SELECT 1 FROM larder_segment WHERE feed = ?1)
            """
        return try cache.withStatement(sql) { statement in
            try statement.bind(feed, at: 1)
            return try statement.step() ? try statement.row.bool(0) : false
        }
    }

    private static func removeAll(of feed: Int64, in cache: borrowing Connection) throws {
        try SegmentTable(feed: feed).removeAll(in: cache)
        try EdgeTable(feed: feed).removeAll(in: cache)
        try EnvelopeTable(feed: feed).removeAll(in: cache)
        try SupposedEnd.clear(feed: feed, in: cache)
        try cache.withStatement("DELETE FROM larder_feed_item WHERE feed = ?1") { statement in
            try statement.bind(feed, at: 1)
            try statement.run()
        }
    }
}

// MARK: - Items and what they prove

extension SnapshotFeedImport {
    private func readSegments(_ run: SnapshotImportRun, from snapshot: borrowing Connection) throws {
        try run.file.walk("snapshot_segment", SnapshotSegment.columns, in: snapshot) { row, _ in
            guard let segment = try SnapshotSegment(row, from: 1), segment.segment.stamp.order <= run.about.stamp
            else { return }
            (targets[segment.feed] ?? nil)?.segments.append((segment, SnapshotSum()))
        }
        for case let target? in targets.values {
            var last = Cut.bottom
            let sorted = target.segments.sorted { $0.claimed.segment.span.low < $1.claimed.segment.span.low }
            // Stretches that overlap contradict each other; the lower one is believed.
            target.segments = sorted.filter { segment in
                let span = segment.claimed.segment.span
                guard span.low >= last, target.allows(span.low), target.allows(span.high) else { return false }
                last = span.high
                return true
            }
        }
    }

    private mutating func takeItems(
        _ run: inout SnapshotImportRun, from snapshot: borrowing Connection, into cache: borrowing Connection
    ) throws {
        var met = 0
        let now = run.core.environment.clock.now().millisecondsSince1970
        try run.file.walk("snapshot_item", SnapshotItem.columns, in: snapshot) { row, _ in
            met += 1
            run.progress.step()
            guard let item = try SnapshotItem(row, from: 1), let feed = targets[item.feed] else {
                return run.outcome.report.leaveOut(.damaged)
            }
            // Of a feed that is left out as a whole.
            guard let target = feed else { return }
            guard let id = item.id(in: target.order), try insert(item, id, target.row.id, target.order, in: cache)
            else { return run.outcome.report.leaveOut(.damaged) }
            run.outcome.report.items += 1
            run.outcome.report.bytes += item.body.count
            if let index = target.segment(of: item.key) {
                target.segments[index].found.add(item.checksum)
            } else {
                // Nothing is proven around it. Order 0: any answer is later.
                let stamp = Stamp(order: 0, at: min(item.storedAt, now), lifetime: 0)
                try SegmentTable(feed: target.row.id).insert(Segment(span: Span(of: item.key), stamp: stamp), in: cache)
            }
        }
        run.outcome.report.leaveOut(.damaged, count: run.about.items - met)
    }

    private static let insertion = """
        INSERT OR IGNORE INTO larder_feed_item (feed, key, id, body, codec, stored_at, checksum)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """

    /// - Returns: Whether there was room: no two items have one place or one id.
    private mutating func insert(
        _ item: SnapshotItem, _ id: ItemID, _ feed: Int64, _ order: Paging.Order, in cache: borrowing Connection
    ) throws -> Bool {
        let codec = try codecs[item.codec] ?? CodecTable.number(of: item.codec, in: cache)
        codecs[item.codec] = codec
        try cache.withStatement(Self.insertion) { insertion in
            try item.body.withUnsafeBytes { body in
                try ItemTable(feed: feed, order: order).run(
                    insertion, PagePlacement.Item(index: 0, id: id, key: item.key), body: body, codec: codec,
                    storedAt: item.storedAt)
            }
        }
        return cache.changes > 0
    }

    /// A stretch of which all items have come is proven. Of another, each item stands by itself.
    private func settleSegments(_ run: SnapshotImportRun, into cache: borrowing Connection) throws {
        for case let target? in targets.values {
            let table = SegmentTable(feed: target.row.id)
            for (claimed, found) in target.segments {
                let stamp = claimed.segment.stamp
                let shifted = Stamp(order: run.shifted(stamp.order), at: stamp.at, lifetime: stamp.lifetime)
                if claimed.items == found {
                    try table.insert(Segment(span: claimed.segment.span, stamp: shifted), in: cache)
                    continue
                }
                target.isIntact = false
                let items = ItemTable(feed: target.row.id, order: target.order)
                for key in try items.keys(in: claimed.segment.span, in: cache) {
                    try table.insert(Segment(span: Span(of: key), stamp: shifted), in: cache)
                }
            }
        }
    }
}

// MARK: - What is beside the items

extension SnapshotFeedImport {
    /// Where something is missing nobody goes on from an edge: what it was counted from may be what is missing.
    private func takeEdges(
        _ run: SnapshotImportRun, from snapshot: borrowing Connection, into cache: borrowing Connection
    ) throws {
        var edges: [Int64: (list: [FeedEdge], sum: SnapshotSum)] = [:]
        try run.file.walk("snapshot_edge", SnapshotEdge.columns, in: snapshot) { row, _ in
            guard let edge = try SnapshotEdge(row, from: 1), edge.edge.stamp <= run.about.stamp,
                let target = targets[edge.feed] ?? nil, target.allows(edge.edge.cut)
            else { return }
            edges[edge.feed, default: ([], SnapshotSum())].sum.add(edge.checksum)
            var shifted = edge.edge
            shifted.stamp = run.shifted(shifted.stamp)
            edges[edge.feed]?.list.append(shifted)
        }
        for (number, target) in targets {
            guard let target else { continue }
            let (list, sum) = edges[number] ?? ([], SnapshotSum())
            guard sum == target.edges else {
                // One that is lost may have been a seam, which nothing else tells of.
                if target.paging.neighbours == .areAssumed { try Self.takeApart(target, in: cache) }
                continue
            }
            guard target.isIntact else { continue }
            for edge in list { try EdgeTable(feed: target.row.id).save(edge, in: cache) }
        }
    }

    /// Lets each item stand by itself.
    private static func takeApart(_ target: Target, in cache: borrowing Connection) throws {
        let table = SegmentTable(feed: target.row.id)
        let items = ItemTable(feed: target.row.id, order: target.order)
        let segments = try table.segments(touching: Span(.bottom, .top), in: cache)
        try table.removeAll(in: cache)
        for segment in segments {
            for key in try items.keys(in: segment.span, in: cache) {
                try table.insert(Segment(span: Span(of: key), stamp: segment.stamp), in: cache)
            }
        }
    }

    private func takeEnvelopes(
        _ run: inout SnapshotImportRun, from snapshot: borrowing Connection, into cache: borrowing Connection
    ) throws {
        try run.file.walk("snapshot_envelope", SnapshotEnvelope.columns, in: snapshot) { row, _ in
            guard let envelope = try SnapshotEnvelope(row, from: 1), envelope.stamp <= run.about.stamp else {
                return run.outcome.report.leaveOut(.damaged)
            }
            guard let target = targets[envelope.feed] ?? nil else { return }
            let stamp = Stamp(order: run.shifted(envelope.stamp), at: 0, lifetime: nil)
            try EnvelopeTable(feed: target.row.id).save(envelope.body, stamp: stamp, in: cache)
        }
    }

    /// What was said to be gone after the snapshot was made does not come back.
    private func finish(into cache: borrowing Connection) throws {
        for case let target? in targets.values {
            try EnvelopeTable(feed: target.row.id).sweep(in: cache)
            let items = ItemTable(feed: target.row.id, order: target.order)
            let gone = GoneItems(partition: target.place.partition)
            let all = try gone.since(Stamp(order: -1, at: 0, lifetime: nil), in: cache)
            for id in all {
                guard let key = try items.key(of: id, in: cache),
                    let segment = try SegmentTable(feed: target.row.id)
                        .segments(touching: Span(of: key), in: cache).first(where: { $0.span.contains(key) }),
                    try gone.since(segment.stamp, in: cache).contains(id)
                else { continue }
                try items.remove(key, in: cache)
            }
        }
    }
}

extension SnapshotFeedImport.Target {
    /// Whether a cut can be one of this feed's.
    fileprivate func allows(_ cut: Cut) -> Bool {
        guard case .byPosition = order, let key = cut.key else { return true }
        guard case .integer(let number) = key else { return false }
        return SnapshotLimits.positions.contains(number)
    }

    /// The stretch that an item lies in, by halves.
    fileprivate func segment(of key: SortKey) -> Int? {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].claimed.segment.span.high <= .below(key) { low = middle + 1 } else { high = middle }
        }
        guard low < segments.count, segments[low].claimed.segment.span.contains(key) else { return nil }
        return low
    }
}
