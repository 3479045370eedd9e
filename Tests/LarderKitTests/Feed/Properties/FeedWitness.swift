import LarderTestKit

@testable import LarderKit

/// What was true on a server, and what a cache of its feed may know of that.
class FeedWitness {
    let server: SimulatedFeedServer
    let order: Paging.Order
    /// Whether answers may be taken in in another order than they were asked for.
    var areAnswersLate = false
    /// Pages go on from places that the server remembers, whether or not an item stands there.
    var goesOnFromPlaces = false

    /// The version of the list that the answer with this stamp was made from.
    var versions: [Int64: Int] = [:]
    /// Answers that showed nothing where there was something.
    var lies: Set<Int64> = []
    /// The bounds of answers that were made as if the bounds had not been sent, or by items that are not shown.
    var ignoredBounds: Set<ItemID> = []
    /// The latest stamp as of which the cache knows where an item is, or that it is gone.
    var known: [ItemID: Int64] = [:]
    var removedAt: [ItemID: Int64] = [:]
    /// The last item at each key.
    var owners: [SortKey: ItemID] = [:]
    var hasBumped = false
    /// Items that keep their places on the server and are not shown.
    var hidden: Set<ItemID> = []

    private var listings: [Int: Listing] = [:]

    init(_ server: SimulatedFeedServer, order: Paging.Order) {
        self.server = server
        self.order = order
    }

    /// What a reader could see at a version.
    struct Listing {
        let ids: [ItemID]
        let places: [ItemID: Int]
        let texts: [ItemID: String]
    }

    func listing(at version: Int) -> Listing {
        if let listing = listings[version] { return listing }
        let list = server.list(at: version)
        let listing = Listing(
            ids: list.map(\.itemID),
            places: Dictionary(uniqueKeysWithValues: list.enumerated().map { ($1.itemID, $0) }),
            texts: Dictionary(uniqueKeysWithValues: list.map { ($0.itemID, $0.text) }))
        listings[version] = listing
        return listing
    }

    /// The order of ids, told apart from the code under test.
    func isNewer(_ left: ItemID, than right: ItemID) -> Bool {
        let (left, right) = (left.rawValue.utf8, right.rawValue.utf8)
        if order == .byID(.decimal), left.count != right.count { return left.count > right.count }
        return right.lexicographicallyPrecedes(left)
    }

    /// Whether an item of the list lies between the bounds that count.
    func isInside(_ id: ItemID, _ request: PageRequest, _ list: Listing) -> Bool {
        guard case .byID = order else {
            guard let place = list.places[id] else { return false }
            return (request.above.flatMap { list.places[$0] }.map { place < $0 } ?? true)
                && (request.below.flatMap { list.places[$0] }.map { place > $0 } ?? true)
        }
        return (request.above.map { isNewer(id, than: $0) } ?? true)
            && (request.below.map { isNewer($0, than: id) } ?? true)
    }

    /// Takes note of what the cache has learnt by an answer.
    ///
    /// - Parameter areKeysTold: Whether what stands at a key is what stood there, if anything does.
    func learn(
        _ after: StoredFeedState, _ before: StoredFeedState, asOf stamp: Int64, moved: Set<ItemID>, areKeysTold: Bool
    ) {
        for item in before.items where after.byID[item.id] == nil {
            known[item.id] = max(known[item.id] ?? 0, stamp)
        }
        for item in after.items {
            known[item.id] = max(known[item.id] ?? 0, item.stamp)
        }
        // Keys that have been spread tell nothing of those that had no item.
        let isSpread = after.items.contains { item in
            before.byID[item.id].map { $0.key != item.key } ?? false && !moved.contains(item.id)
        }
        if isSpread || !areKeysTold { owners = [:] }
        for item in after.items { owners[item.key] = item.id }
    }
}
