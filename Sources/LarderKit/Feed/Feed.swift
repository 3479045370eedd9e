import Foundation
import LarderSQLite

/// An ordered list of items, newest first, fetched in pages.
///
/// ```swift
/// let home = me.feed("home", paging: .byID) { page in
///     try await Page(api.home(since: page.since, max: page.max, limit: page.limit))
/// }
/// let newest = try await home.page()
/// ```
///
/// What the server proved is kept with the items. A page is never put together from items that were not neighbours on
/// the server, and what is not known is said to be missing.
///
/// A handle is a cheap value: two of one feed share what is stored and what is under way. A feed has one request under
/// way at a time.
public struct Feed<Item: Sendable>: Sendable {
    let core: LarderCore
    let partition: PartitionState
    let key: StoreKey
    let paging: Paging
    let policy: ReadPolicy
    let maxAge: Duration?
    let options: FeedOptions
    let codec: Codec<Item>
    /// Whether what stands around the items of raw answers is kept.
    var keepsEnvelopes = false
    let fetch: @Sendable (PageRequest) async throws -> FetchedPage

    /// The items at a position, as the policy gives them.
    ///
    /// At most one request is sent: for what is missing, or for the whole page when what is stored of it is stale. A server
    /// that gives less than asked for makes a shorter page, which says so.
    ///
    /// - Parameters:
    ///   - position: Where to read.
    ///   - limit: At most this many items; at least one.
    ///   - policy: This once, instead of the feed's own.
    /// - Throws: Only when there is nothing to show. What failed beside a page is in the reading.
    public func page(
        _ position: FeedPosition = .newest, limit: Int = 20, policy: ReadPolicy? = nil
    ) async throws(LarderError) -> Reading<FeedPage<Item>> {
        try await FeedRead(feed: self, position: position, limit: Self.clamped(limit), policy: policy ?? self.policy)
            .run()
    }

    /// What is stored at a position, on the caller's thread and without a request: for the first frame.
    ///
    /// Two indexed reads, and a decode of each item. `nil` is "nothing is stored there" and nothing else.
    public func peek(
        _ position: FeedPosition = .newest, limit: Int = 20
    ) throws(LarderError) -> Reading<FeedPage<Item>>? {
        let stretch = try stretch(at: position, limit: Self.clamped(limit))
        return stretch.isKnown ? try reading(of: stretch, source: .cache, reason: .peeked) : nil
    }

    /// Asks for the head only, whatever the age of what is stored: one request that overlaps what is stored by one item,
    /// so that this item coming back proves that nothing is missing in between.
    ///
    /// - Parameters:
    ///   - limit: At most this many items.
    ///   - overlap: By how many stored items to overlap, instead of the feed's own ``FeedOptions/overlap``.
    /// - Returns: What has changed. What could not be proven has left a gap.
    @discardableResult
    public func refresh(limit: Int = 20, overlap: Int? = nil) async throws(LarderError) -> FeedChange {
        let limit = Self.clamped(limit)
        let request = try look { reader, db in
            try reader?.refreshRequest(limit: limit, overlap: overlap ?? options.overlap, in: db)
                ?? paging.headRequest(limit: limit)
        }
        let landed = try await land(request)
        var change = landed.change
        let last = landed.page.ids.compactMap { $0 }.last
        change.remaining = try look { reader, db in try last.flatMap { try reader?.gap(below: $0, in: db) } }
        return change
    }
}

extension Feed {

    /// At least one item, and no more than any server will give.
    static func clamped(_ limit: Int) -> Int { min(max(1, limit), 1 << 24) }

    var now: Date { core.environment.clock.now() }

    /// Whose requests are judged together.
    var origin: String { options.origin ?? "feed \(key.partition)\0\(key.key)" }

    /// A reader of the feed's tables, or `nil` when nothing of the feed is stored under its present declaration.
    func reader(in db: borrowing Connection) throws -> FeedReader? {
        try partition.check()
        let state = core.feedState(key)
        if let id = state.rowID(for: paging) { return FeedReader(feed: id, paging: paging) }
        guard let row = try FeedRow.load(partition: key.partition, name: key.key, in: db),
            row.paging == paging.fingerprint
        else { return nil }
        state.remember(row: row.id, for: paging)
        return FeedReader(feed: row.id, paging: paging)
    }

    /// Notes that what is stored of the feed is used.
    func noteUse() { core.marks.note(.feed(key), at: now.millisecondsSince1970) }

    func stretch(at position: FeedPosition, limit: Int) throws(LarderError) -> Stretch {
        let read = { [self] (db: borrowing Connection) throws -> Stretch in
            guard let reader = try reader(in: db) else {
                let request = FeedReader.request(for: position, paging: paging, limit: limit)
                return Stretch(missing: request, whole: request)
            }
            var stretch = try reader.stretch(at: position, limit: limit, in: db)
            if keepsEnvelopes {
                stretch.envelopes = try EnvelopeTable(feed: reader.feed).bodies(of: stretch.stamps, in: db)
            }
            if paging.neighbours == .areAssumed, let last = stretch.items.last, let first = stretch.items.first {
                stretch.seams = try reader.edges.seams(in: Span(.below(last.key), .above(first.key)), in: db)
            }
            return stretch
        }
        do {
            // Downward by id it is one statement within another, which is one snapshot already.
            let stretch =
                switch (paging.order, position) {
                case (.byID, .newest) where !keepsEnvelopes, (.byID, .older) where !keepsEnvelopes:
                    try core.database.withReader(read)
                default:
                    try core.database.read(read)
                }
            noteUse()
            try partition.check(after: core.database)
            return stretch
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// A stretch as the app sees it.
    func reading(
        of stretch: Stretch, source: ReadingSource, reason: ReadingReason, failure: FetchFailure? = nil,
        warnings: [ReadingWarning] = [], freshStamp: Int64? = nil
    ) throws(LarderError) -> Reading<FeedPage<Item>> {
        var warnings = warnings
        if stretch.seams > 0 { warnings.append(.assumedNeighbours(count: stretch.seams)) }
        let (items, ids) = try decode(stretch.items, &warnings)
        let now = now
        let storedAt = stretch.storedAt ?? now.millisecondsSince1970
        return Reading(
            value: FeedPage(
                items: items, ids: ids, isComplete: stretch.isComplete, isAtEnd: stretch.isAtEnd,
                oldest: stretch.items.last?.id, newest: stretch.items.first?.id, envelopes: stretch.envelopes),
            source: source, storedAt: Date(millisecondsSince1970: storedAt),
            age: .milliseconds(max(0, now.millisecondsSince1970 - storedAt)),
            isStale: !stretch.areFresh(maxAge: maxAge, now: now, except: freshStamp), reason: reason, failure: failure,
            warnings: warnings)
    }

    /// One bad row costs one row: it is left out and named, and its bytes stay.
    private func decode(
        _ items: [StoredItem], _ warnings: inout [ReadingWarning]
    ) throws(LarderError) -> (items: [Item], ids: [ItemID]) {
        var undecodable: [UndecodableItem] = []
        var values: [Item] = []
        var ids: [ItemID] = []
        values.reserveCapacity(items.count)
        ids.reserveCapacity(items.count)
        // The items of a page nearly always name one codec, which then is looked at once.
        var known: (number: Int64, codec: CodecID)?
        // By index: a copy of each item would cost as much as the rest of the loop where the bytes are the value.
        for index in items.indices {
            if items[index].codec == nil || items[index].codec != known?.number {
                switch try stored(items[index]) {
                case .success(let codec):
                    known = items[index].codec.map { ($0, codec) }
                case .failure(let error):
                    undecodable.append(error)
                    continue
                }
            }
            do {
                values.append(try codec.decode(items[index].body, storedBy: known?.codec ?? codec.id))
                ids.append(items[index].id)
            } catch {
                undecodable.append(UndecodableItem(id: items[index].id, error: error))
            }
        }
        if !undecodable.isEmpty { warnings.append(.undecodableItems(undecodable)) }
        return (values, ids)
    }

    /// The codec that an item was written by, if it is one that this feed's can read.
    private func stored(_ item: StoredItem) throws(LarderError) -> Result<CodecID, UndecodableItem> {
        let stored: CodecID
        do {
            guard let codec = item.codec else { throw StorageError.corrupt("an item's row is damaged") }
            stored = try core.codec(codec)
        } catch {
            let trouble = StorageError.wrapping(error)
            guard trouble.kind == .corrupt else { throw .storage(trouble) }
            return .failure(UndecodableItem(id: item.id, error: trouble))
        }
        guard stored.name != codec.id.name else { return .success(stored) }
        let error = UndecodableValue(key: item.id.rawValue, stored: stored, wanted: codec.id)
        return .failure(UndecodableItem(id: item.id, error: error))
    }

    func decode(_ item: StoredItem) throws(LarderError) -> Result<Item, UndecodableItem> {
        switch try stored(item) {
        case .failure(let error):
            return .failure(error)
        case .success(let stored):
            do { return .success(try codec.decode(item.body, storedBy: stored)) } catch {
                return .failure(UndecodableItem(id: item.id, error: error))
            }
        }
    }
}
