import Synchronization

/// The decoded items of a feed that were looked at lately, for all of its snapshots: decoding costs far more than reading.
///
/// It holds at most ``capacity`` of them, in two generations: when the younger one is full, the older one goes.
final class DecodedItems<Item: Sendable>: Sendable {
    struct Entry: Sendable {
        let version: Int64
        /// `nil` when the bytes do not decode.
        let value: Item?
    }

    private struct State {
        var young: [ItemID: Entry] = [:]
        var old: [ItemID: Entry] = [:]

        mutating func insert(_ entry: Entry, for id: ItemID) {
            if young.count >= DecodedItems.capacity / 2 {
                old = young
                young = [:]
            }
            young[id] = entry
            old[id] = nil
        }
    }

    static var capacity: Int { 1024 }

    private let state = Mutex(State())

    /// The item in this state, or in a later one.
    func entry(for id: ItemID, version: Int64) -> Entry? {
        state.withLock { state in
            if let entry = state.young[id] { return entry.version >= version ? entry : nil }
            guard let entry = state.old.removeValue(forKey: id), entry.version >= version else { return nil }
            state.insert(entry, for: id)
            return entry
        }
    }

    func insert(_ value: Item?, for id: ItemID, version: Int64) {
        state.withLock { $0.insert(Entry(version: version, value: value), for: id) }
    }

    /// - Parameter ids: `nil` for all.
    func remove(_ ids: [ItemID]?) {
        state.withLock { state in
            guard let ids else {
                (state.young, state.old) = ([:], [:])
                return
            }
            for id in ids {
                state.young[id] = nil
                state.old[id] = nil
            }
        }
    }

    var count: Int { state.withLock { $0.young.count + $0.old.count } }
}

/// The caches of decoded items in use, one for each feed and type. One lives as long as a timeline that shows it.
final class DecodedFeeds: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let codec: CodecID
    }

    private struct Cache {
        weak var items: AnyObject?
        let forget: @Sendable ([ItemID]?) -> Void
    }

    private let caches = Mutex<[StoreKey: [Key: Cache]]>([:])

    func items<Item: Sendable>(of feed: StoreKey, codec: CodecID) -> DecodedItems<Item> {
        let key = Key(type: ObjectIdentifier(Item.self), codec: codec)
        return caches.withLock { caches in
            if let items = caches[feed]?[key]?.items as? DecodedItems<Item> { return items }
            let items = DecodedItems<Item>()
            caches = caches.compactMapValues { kinds in
                let used = kinds.filter { $0.value.items != nil }
                return used.isEmpty ? nil : used
            }
            caches[feed, default: [:]][key] = Cache(items: items) { [weak items] ids in items?.remove(ids) }
            return items
        }
    }

    /// Forgets all there is.
    func forgetAll() {
        let feeds = caches.withLock { $0.values.flatMap(\.values) }
        for cache in feeds { cache.forget(nil) }
    }

    /// Forgets all feeds of a partition.
    func forgetAll(in partition: String) {
        let feeds = caches.withLock { caches in
            caches.filter { $0.key.partition.utf8.elementsEqual(partition.utf8) }.values.flatMap(\.values)
        }
        for cache in feeds { cache.forget(nil) }
    }

    /// Forgets what has just been written over; all of the feed for `nil`.
    func forget(_ ids: [ItemID]?, of feed: StoreKey) {
        let kinds = caches.withLock { $0[feed].map { Array($0.values) } ?? [] }
        for cache in kinds { cache.forget(ids) }
    }
}
