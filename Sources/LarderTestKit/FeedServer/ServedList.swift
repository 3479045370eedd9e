import LarderKit

/// The server's list at one moment: a value, newest first, and the changes its order allows.
struct ServedList: Sendable {
    typealias Order = SimulatedFeedServer.Order
    typealias Misuse = SimulatedFeedServer.Misuse

    /// A hidden entry takes a place in a page and is then left out of it.
    struct Entry: Sendable {
        var item: SimulatedFeedServer.Item
        /// The place where it stands. An entry that is moved goes and comes again, at a place of its own.
        let mark: Int
        var isHidden = false
        var id: ItemID { item.itemID }
    }

    let order: Order
    private(set) var entries: [Entry] = []
    private(set) var marks = PlaceMarks()

    init(order: Order) {
        self.order = order
    }

    /// Puts an item where its order wants it: by its id, or on top.
    mutating func insert(_ item: SimulatedFeedServer.Item) throws(Misuse) {
        let id = item.itemID
        try check(new: id)
        let index = order.isByID ? entries.firstIndex { self.order.isNewer(id, than: $0.id) } ?? entries.endIndex : 0
        put(item, at: index)
    }

    mutating func insert(_ item: SimulatedFeedServer.Item, at place: Int) throws(Misuse) {
        guard order == .ranked else { throw .orderForbids }
        guard (0...entries.count).contains(place) else { throw .noSuchPlace(place) }
        try check(new: item.itemID)
        put(item, at: place)
    }

    /// Adds older items below all that there ever was, where a list by position takes ids of any kind.
    mutating func grow(by count: Int) {
        for _ in 0..<count {
            let mark = marks.markBelowAll()
            entries.append(Entry(item: SimulatedFeedServer.Item(ItemID("older-\(mark)")), mark: mark))
        }
    }

    mutating func delete(_ id: ItemID) throws(Misuse) {
        entries.remove(at: try index(of: id))
    }

    mutating func edit(_ id: ItemID, text: String) throws(Misuse) {
        entries[try index(of: id)].item = SimulatedFeedServer.Item(id, text: text)
    }

    mutating func hide(_ id: ItemID) throws(Misuse) {
        entries[try index(of: id)].isHidden = true
    }

    /// Moves an item to the top, as a deletion and a new insertion would.
    mutating func bump(_ id: ItemID) throws(Misuse) {
        guard !order.isByID else { throw .orderForbids }
        move(from: try index(of: id), to: 0)
    }

    mutating func move(_ id: ItemID, to place: Int) throws(Misuse) {
        guard order == .ranked else { throw .orderForbids }
        guard entries.indices.contains(place) else { throw .noSuchPlace(place) }
        move(from: try index(of: id), to: place)
    }

    private mutating func move(from index: Int, to place: Int) {
        let entry = entries.remove(at: index)
        put(entry.item, at: place, isHidden: entry.isHidden)
    }

    private mutating func put(_ item: SimulatedFeedServer.Item, at index: Int, isHidden: Bool = false) {
        let mark = marks.mark(below: index == entries.startIndex ? nil : entries[index - 1].mark)
        entries.insert(Entry(item: item, mark: mark, isHidden: isHidden), at: index)
    }

    private func index(of id: ItemID) throws(Misuse) -> Int {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { throw .notThere(id) }
        return index
    }

    private func check(new id: ItemID) throws(Misuse) {
        if order == .decimal, !DecimalID.isCanonical(id) { throw .notDecimal(id) }
        if entries.contains(where: { $0.id == id }) { throw .alreadyThere(id) }
    }
}

extension SimulatedFeedServer.Order {
    /// Whether `left` is the newer one, for orders by id.
    func isNewer(_ left: ItemID, than right: ItemID) -> Bool {
        switch self {
        case .decimal: DecimalID.isLess(right, left)
        case .text, .newestOnTop, .ranked: right.rawValue.utf8.lexicographicallyPrecedes(left.rawValue.utf8)
        }
    }
}

/// Ids as decimal numbers of any length.
enum DecimalID {
    static func isDecimal(_ id: ItemID) -> Bool {
        !id.rawValue.isEmpty && id.rawValue.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Digits without a leading zero: every number then has one id.
    static func isCanonical(_ id: ItemID) -> Bool {
        isDecimal(id) && (id.rawValue.utf8.first != UInt8(ascii: "0") || id.rawValue.utf8.count == 1)
    }

    static func isLess(_ left: ItemID, _ right: ItemID) -> Bool {
        let (left, right) = (digits(left), digits(right))
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    private static func digits(_ id: ItemID) -> Substring.UTF8View {
        id.rawValue.utf8.drop { $0 == UInt8(ascii: "0") }
    }
}
