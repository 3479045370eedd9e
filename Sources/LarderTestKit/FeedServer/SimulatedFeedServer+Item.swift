public import LarderKit

extension SimulatedFeedServer {
    /// One item of the feed, as it stands in the server's list and in a typed page.
    ///
    /// Codable in the shape of ``SimulatedFeedServer/rawAnswer(for:)``, with an id that is text or a number of up to 64
    /// bits. Ids are equal when their bytes are, as everywhere in Larder.
    public struct Item: Sendable, Identifiable {
        public let id: String
        public let text: String

        public init(id: String, text: String) {
            self.id = id
            self.text = text
        }

        public init(_ id: ItemID, text: String? = nil) {
            self.init(id: id.rawValue, text: text ?? "item \(id)")
        }

        /// The id as the feed knows it.
        public var itemID: ItemID { ItemID(id) }
    }

    /// How the server keeps its list. It is always shown newest first.
    public enum Order: String, Sendable, Hashable, CaseIterable {
        /// By id, as decimal numbers of any length, without leading zeros.
        case decimal
        /// By id, as text, byte by byte.
        case text
        /// As inserted: new items come on top, and the rest keeps its relative order.
        case newestOnTop
        /// As ranked: anything may move.
        case ranked

        /// Whether the ids tell the order. A bound then needs no item that bears its id.
        public var isByID: Bool { self == .decimal || self == .text }
    }

    /// A change the server's order does not allow: a mistake in the test.
    public enum Misuse: Error, Sendable, Hashable {
        case alreadyThere(ItemID)
        case notThere(ItemID)
        /// A decimal server takes digits only, without leading zeros.
        case notDecimal(ItemID)
        /// Only a ranked list is ordered by hand, and only a list by position can move an item to its top.
        case orderForbids
        case noSuchPlace(Int)
    }
}

extension SimulatedFeedServer.Item: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.itemID == right.itemID && left.text == right.text
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(itemID)
        hasher.combine(text)
    }
}

extension SimulatedFeedServer.Item: Codable {
    private enum CodingKeys: CodingKey {
        case id
        case text
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id =
            if let number = try? container.decode(UInt64.self, forKey: .id) {
                String(number)
            } else {
                try container.decode(String.self, forKey: .id)
            }
        self.init(id: id, text: try container.decode(String.self, forKey: .text))
    }
}
