import Foundation

/// Where the items of a raw JSON answer are, where in each item its id is, and what else the answer says of the page.
public struct JSONItems: Sendable, Hashable {
    public let items: JSONPath
    public let id: JSONPath
    /// Where the cursor (or, for ``Paging/Kind/link``, the link) to the next page is, in a body that has one. Nothing
    /// there, `null`, `false` or an empty text says that nothing follows.
    public var next: JSONPath?
    /// Where a flag is that says whether more follows.
    public var more: JSONPath?
    /// Whether what stands around the items is kept with them: side objects such as `included` or `accounts`
    /// (``FeedPage/envelopes``).
    public var keepsEnvelope = false

    /// Items in an array that is the whole answer, ids under the name `id`.
    public init() {
        items = .root
        id = .id
    }

    /// - Parameters:
    ///   - items: The path of the array in the answer, for example `$.data`.
    ///   - id: The path of the id in an item, for example `$.key`.
    ///   - next: The path of the cursor to the next page, for example `$.paging.next`.
    ///   - more: The path of a flag that says whether more follows, for example `$.has_more`.
    ///   - keepsEnvelope: Whether to keep what stands around the items.
    /// - Throws: ``JSONPathError`` for a text that names no single value.
    public init(
        at items: String = "$", id: String = "$.id", next: String? = nil, more: String? = nil,
        keepsEnvelope: Bool = false
    ) throws(JSONPathError) {
        self.items = try JSONPath(items)
        self.id = try JSONPath(id)
        if let next { self.next = try JSONPath(next) }
        if let more { self.more = try JSONPath(more) }
        self.keepsEnvelope = keepsEnvelope
    }
}

extension JSONItems {
    /// What stands around the items: the answer with an empty array in their place.
    func envelope(of body: Data) throws -> Data? {
        guard items != .root, let range = try JSONSplitter.range(of: items, in: body) else { return nil }
        return body.prefix(range.lowerBound) + Data("[]".utf8) + body.dropFirst(range.upperBound)
    }
}

extension JSONPath {
    static let id = JSONPath(steps: [.key(Array("id".utf8))])
}
