/// Which key each item has, where ids do not tell: a hash table in buckets that snapshots share.
///
/// A change copies the buckets of the ids it is about and no others.
struct ItemPlaces: Sendable {
    private var buckets: [[ItemID: SortKey]] = [[:]]
    private(set) var count = 0

    /// About how many ids share a bucket.
    private static let load = 64

    subscript(id: ItemID) -> SortKey? { buckets[bucket(of: id)][id] }

    mutating func insert(_ id: ItemID, at key: SortKey) {
        if count >= 2 * Self.load * buckets.count { grow() }
        if buckets[bucket(of: id)].updateValue(key, forKey: id) == nil { count += 1 }
    }

    /// Forgets an item, unless it stands elsewhere by now.
    mutating func remove(_ id: ItemID, at key: SortKey) {
        let bucket = bucket(of: id)
        guard buckets[bucket][id] == key else { return }
        buckets[bucket][id] = nil
        count -= 1
    }

    private func bucket(of id: ItemID) -> Int {
        id.hashValue & (buckets.count - 1)
    }

    /// The number of buckets stays a power of two.
    private mutating func grow() {
        let all = buckets.flatMap { $0.map { ($0.key, $0.value) } }
        buckets = Array(repeating: [:], count: buckets.count * 4)
        for (id, key) in all { buckets[bucket(of: id)][id] = key }
    }
}
