public import Foundation

/// What an item's id may be: a `String`, an integer, or a `UUID`.
public protocol ItemIDConvertible {
    var itemID: ItemID { get }
}

extension ItemID: ItemIDConvertible {
    public var itemID: ItemID { self }
}

extension String: ItemIDConvertible {
    public var itemID: ItemID { ItemID(self) }
}

extension UUID: ItemIDConvertible {
    /// In small letters, as RFC 9562 section 4 writes it.
    public var itemID: ItemID { ItemID(uuidString.lowercased()) }
}

extension BinaryInteger where Self: ItemIDConvertible {
    public var itemID: ItemID { ItemID(self) }
}

extension Int: ItemIDConvertible {}
extension Int8: ItemIDConvertible {}
extension Int16: ItemIDConvertible {}
extension Int32: ItemIDConvertible {}
extension Int64: ItemIDConvertible {}
extension UInt: ItemIDConvertible {}
extension UInt8: ItemIDConvertible {}
extension UInt16: ItemIDConvertible {}
extension UInt32: ItemIDConvertible {}
extension UInt64: ItemIDConvertible {}

extension Partition {
    /// A feed whose fetch closure gives its items, which have ids of their own.
    ///
    /// - Parameters:
    ///   - name: What the feed is stored under in this partition. Any text.
    ///   - paging: How the server pages and what order its list is in. When an app declares another, the items stay and
    ///     what was proven about them goes.
    ///   - maxAge: For how long a page is shown without asking again.
    ///   - policy: What to try, in which order; a read may override it.
    ///   - options: Limits.
    ///   - codec: How an item becomes bytes.
    ///   - fetch: Asks the server for a page. Called once at a time for one feed in this process, unless a call that was
    ///     given up goes on by itself.
    public func feed<Item: Codable & Sendable & Identifiable>(
        _ name: String, paging: Paging, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst,
        options: FeedOptions = .init(), codec: Codec<Item> = .json,
        fetch: @escaping @Sendable (PageRequest) async throws -> Page<Item>
    ) -> Feed<Item> where Item.ID: ItemIDConvertible {
        feed(name, paging, maxAge, policy, options, codec) { request in
            try FetchedPage(try await fetch(request), codec: codec) { $0.id.itemID }
        }
    }

    /// A feed whose fetch closure gives its items, with the id at a key path.
    public func feed<Item: Codable & Sendable, ID: ItemIDConvertible>(
        _ name: String, id: any KeyPath<Item, ID> & Sendable, paging: Paging, maxAge: Duration? = nil,
        policy: ReadPolicy = .cacheFirst, options: FeedOptions = .init(), codec: Codec<Item> = .json,
        fetch: @escaping @Sendable (PageRequest) async throws -> Page<Item>
    ) -> Feed<Item> {
        feed(name, paging, maxAge, policy, options, codec) { request in
            try FetchedPage(try await fetch(request), codec: codec) { $0[keyPath: id].itemID }
        }
    }

    /// A feed whose fetch closure gives the server's answers as they came. The form to recommend: no byte and no unknown
    /// field is lost, and one item that does not decode costs one item.
    public func feed<Item: Decodable & Sendable>(
        _ name: String, json: JSONItems, paging: Paging, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst,
        options: FeedOptions = .init(), decoding: Item.Type = Item.self,
        fetch: @escaping @Sendable (PageRequest) async throws -> RawAnswer
    ) -> Feed<Item> {
        feed(name, paging, maxAge, policy, options, .servedJSON(), raw(json, paging, fetch), json)
    }

    /// The same, for the bytes of the items themselves.
    public func feedOfBytes(
        _ name: String, json: JSONItems, paging: Paging, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst,
        options: FeedOptions = .init(), fetch: @escaping @Sendable (PageRequest) async throws -> RawAnswer
    ) -> Feed<Data> {
        feed(name, paging, maxAge, policy, options, .served, raw(json, paging, fetch), json)
    }

    private func raw(
        _ json: JSONItems, _ paging: Paging, _ fetch: @escaping @Sendable (PageRequest) async throws -> RawAnswer
    ) -> @Sendable (PageRequest) async throws -> FetchedPage {
        let clock = core.environment.clock
        return { request in
            try FetchedPage(
                try await fetch(request), json: json, kind: paging.kind, request: request, now: clock.now())
        }
    }

    private func feed<Item: Sendable>(
        _ name: String, _ paging: Paging, _ maxAge: Duration?, _ policy: ReadPolicy, _ options: FeedOptions,
        _ codec: Codec<Item>, _ fetch: @escaping @Sendable (PageRequest) async throws -> FetchedPage,
        _ json: JSONItems? = nil
    ) -> Feed<Item> {
        Feed(
            core: core, partition: state, key: key(name), paging: paging, policy: policy, maxAge: maxAge,
            options: options, codec: codec,
            keepsEnvelopes: json?.keepsEnvelope ?? false, fetch: fetch)
    }
}
