import LarderSQLite

/// What is under the lock of a ``MemoryTier``: values in places of an array, linked by the order of their last use.
struct MemoryTierContents {
    typealias Key = MemoryTier.Key
    /// A ``MemoryTier/Kept`` of the type that its key names.
    typealias Held = any AnyObject & Sendable

    /// A class, so that looking at one field copies no other.
    private final class Entry {
        let key: Key
        let kept: Held
        let metadata: EntryMetadata
        let cost: Int
        var mark: CommitMark
        var isUsed = false

        init(key: Key, kept: Held, metadata: EntryMetadata, cost: Int, mark: CommitMark) {
            self.key = key
            self.kept = kept
            self.metadata = metadata
            self.cost = cost
            self.mark = mark
        }
    }

    /// The neighbours of a place in the order of use; of a free one, `older` is the next free one.
    private struct Link {
        var newer: Int
        var older: Int
    }

    /// No place.
    private static let none = -1

    private var index: [Key: Int] = [:]
    /// `nil` where a place is free.
    private var entries: [Entry?] = []
    private var links: [Link] = []
    private var newest = Self.none
    private var oldest = Self.none
    private var free = Self.none
    private var limit: Int
    /// The hashes of keys that were lately read and not kept, each in a place of its own choice.
    private var strangers = [Int](repeating: 0, count: MemoryTierContents.strangerCount)
    private(set) var counters = MemoryTier.Counters()

    init(limit: Int) {
        self.limit = limit
    }

    static let strangerCount = 4096

    /// Whether a value is worth keeping: one that was read before, not long ago. Who reads everything once would push out what
    /// is read again, and pay for that.
    mutating func isFamiliar(_ key: Key) -> Bool {
        if index[key] != nil { return true }
        let place = key.hash & (Self.strangerCount - 1)
        defer { strangers[place] = key.hash }
        return strangers[place] == key.hash
    }

    mutating func use(_ key: Key, at mark: CommitMark) -> (kept: Held, isFresh: Bool)? {
        guard let place = index[key], let entry = entries[place] else { return nil }
        if place != newest {
            unlink(place)
            link(place)
        }
        entry.isUsed = true
        let isFresh = entry.mark == mark
        if isFresh { counters.hits += 1 }
        return (entry.kept, isFresh)
    }

    /// - Returns: What went: to be let go when the lock is open.
    mutating func insert(
        _ kept: Held, _ metadata: EntryMetadata, cost: Int, for key: Key, at mark: CommitMark
    ) -> [Held] {
        var gone = remove(key).map { [$0] } ?? []
        guard cost <= limit / 4 else { return gone }
        let place = takePlace()
        entries[place] = Entry(key: key, kept: kept, metadata: metadata, cost: cost, mark: mark)
        index[key] = place
        link(place)
        counters.count += 1
        counters.cost += cost
        shrink(&gone)
        return gone
    }

    mutating func confirm(_ key: Key, _ metadata: EntryMetadata?, at mark: CommitMark) -> (Bool, gone: Held?) {
        guard let place = index[key], let entry = entries[place] else { return (false, nil) }
        guard entry.metadata == metadata else { return (false, remove(key)) }
        entry.mark = mark
        return (true, nil)
    }

    mutating func remove(_ key: Key) -> Held? {
        guard let place = index.removeValue(forKey: key), let entry = entries[place] else { return nil }
        unlink(place)
        entries[place] = nil
        links[place].older = free
        free = place
        counters.count -= 1
        counters.cost -= entry.cost
        return entry.kept
    }

    mutating func removeAll(where isGone: (Key) -> Bool) -> [Held] {
        index.keys.filter(isGone).compactMap { remove($0) }
    }

    mutating func setLimit(_ limit: Int) -> [Held] {
        self.limit = limit
        var gone: [Held] = []
        shrink(&gone)
        return gone
    }

    mutating func takeUsed() -> [StoreKey] {
        entries.compactMap { entry in
            guard let entry, entry.isUsed else { return nil }
            entry.isUsed = false
            return entry.key.place
        }
    }

    private mutating func shrink(_ gone: inout [Held]) {
        while counters.cost > limit, oldest != Self.none, let entry = entries[oldest] {
            if let kept = remove(entry.key) { gone.append(kept) }
        }
    }

    private mutating func takePlace() -> Int {
        guard free == Self.none else {
            let place = free
            free = links[place].older
            return place
        }
        entries.append(nil)
        links.append(Link(newer: Self.none, older: Self.none))
        return entries.count - 1
    }

    private mutating func link(_ place: Int) {
        links[place] = Link(newer: Self.none, older: newest)
        if newest == Self.none { oldest = place } else { links[newest].newer = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let link = links[place]
        if link.newer == Self.none { newest = link.older } else { links[link.newer].older = link.older }
        if link.older == Self.none { oldest = link.newer } else { links[link.older].newer = link.newer }
    }
}
