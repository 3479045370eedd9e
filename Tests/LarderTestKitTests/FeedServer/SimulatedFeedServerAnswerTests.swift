import LarderKit
import LarderTestKit
import Testing

/// What a server that holds 1...10, newest first 10…1, answers.
struct SimulatedFeedServerAnswerTests {
    typealias Order = SimulatedFeedServer.Order
    typealias Rules = SimulatedFeedServer.Rules

    /// Numbers as items' ids, two digits wide so that text and number agree on their order.
    static func id(_ number: Int) -> ItemID { ItemID(number + 10) }
    static func ids(_ numbers: [Int]) -> [ItemID] { numbers.map(id) }

    static func server(_ order: Order, _ change: (inout Rules) -> Void = { _ in }) throws -> SimulatedFeedServer {
        try SimulatedFeedServer(order, holding: 11...20, rules: Rules(change))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var above: Int?
        var below: Int?
        var from: PageRequest.End = .newest
        var limit = 3
        let page: [Int]
        let hasMore: Bool

        var request: PageRequest {
            PageRequest(above: above.map(id), below: below.map(id), countedFrom: from, limit: limit)
        }
        var testDescription: String { "(\(above ?? 0), \(below ?? 99)) from \(from), limit \(limit)" }
    }

    static let exclusive = [
        Row(page: [10, 9, 8], hasMore: true),
        Row(limit: 10, page: Array((1...10).reversed()), hasMore: false),
        Row(limit: 40, page: Array((1...10).reversed()), hasMore: false),
        Row(below: 8, page: [7, 6, 5], hasMore: true),
        Row(below: 4, page: [3, 2, 1], hasMore: false),
        Row(below: 3, page: [2, 1], hasMore: false),
        Row(below: 1, page: [], hasMore: false),
        // The newest three above, and the next three above.
        Row(above: 4, page: [10, 9, 8], hasMore: true),
        Row(above: 4, from: .oldest, page: [7, 6, 5], hasMore: true),
        Row(above: 7, page: [10, 9, 8], hasMore: false),
        Row(above: 7, from: .oldest, page: [10, 9, 8], hasMore: false),
        Row(above: 10, page: [], hasMore: false),
        Row(above: 10, from: .oldest, page: [], hasMore: false),
        Row(above: 2, below: 9, page: [8, 7, 6], hasMore: true),
        Row(above: 2, below: 9, from: .oldest, page: [5, 4, 3], hasMore: true),
        Row(above: 5, below: 9, page: [8, 7, 6], hasMore: false),
        Row(above: 5, below: 9, from: .oldest, page: [8, 7, 6], hasMore: false),
        Row(above: 5, below: 6, page: [], hasMore: false),
        Row(above: 8, below: 3, page: [], hasMore: false),
        Row(above: 5, below: 5, page: [], hasMore: false),
        // Counted from the oldest without a lower bound: no parameter says so, and the server counts from the newest.
        Row(from: .oldest, page: [10, 9, 8], hasMore: true),
        Row(below: 8, from: .oldest, page: [7, 6, 5], hasMore: true),
    ]

    @Test(arguments: Order.allCases, exclusive)
    func `a page is the asked end of an open interval, newest first`(order: Order, row: Row) throws {
        let answer = try Self.server(order).answer(row.request)
        #expect(answer.ids == Self.ids(row.page))
        #expect(answer.hasMore == row.hasMore)
        #expect(answer.status == 200)
        #expect(answer.version == 0)
    }

    @Test(
        arguments: Order.allCases,
        [
            Row(above: 7, page: [10, 9, 8], hasMore: true),
            Row(above: 8, page: [10, 9, 8], hasMore: false),
            Row(above: 4, from: .oldest, page: [6, 5, 4], hasMore: true),
            Row(below: 8, page: [8, 7, 6], hasMore: true),
            Row(below: 1, page: [1], hasMore: false),
            Row(above: 5, below: 7, page: [7, 6, 5], hasMore: false),
            Row(above: 5, below: 5, page: [5], hasMore: false),
        ])
    func `inclusive bounds bring their own item`(order: Order, row: Row) throws {
        let server = try Self.server(order) { $0.inclusive = Set(Paging.Parameter.allCases) }
        let answer = server.answer(row.request)
        #expect(answer.ids == Self.ids(row.page))
        #expect(answer.hasMore == row.hasMore)
    }

    @Test func `one bound may be inclusive and another not`() throws {
        let server = try Self.server(.decimal) { $0.inclusive = [.max] }
        #expect(server.answer(Row(above: 5, below: 7, page: [], hasMore: false).request).ids == Self.ids([7, 6]))
    }

    @Test(arguments: [(limit: 2, page: 2), (limit: 4, page: 4), (limit: 5, page: 4), (limit: 100, page: 4)])
    func `a limit above the cap is capped without a word`(limit: Int, page: Int) throws {
        let answer = try Self.server(.decimal) { $0.cap = 4 }.answer(PageRequest(limit: limit))
        #expect(answer.items.count == page)
        #expect(answer.hasMore)
    }

    @Test(arguments: [0, -1])
    func `a limit that is no number of items is refused`(limit: Int) throws {
        #expect(try Self.server(.decimal).answer(PageRequest(limit: limit)).status == 400)
    }

    @Test(arguments: [
        (Paging.Parameter.since, Row(above: 4, below: 8, page: [7, 6, 5], hasMore: true)),
        (.max, Row(above: 4, below: 8, page: [10, 9, 8], hasMore: true)),
        // Without its min a request is counted from the newest.
        (.min, Row(above: 4, below: 8, from: .oldest, page: [7, 6, 5], hasMore: true)),
    ])
    func `a bound that is not understood is ignored or refused`(missing: Paging.Parameter, row: Row) throws {
        let server = try Self.server(.decimal) { $0.parameters.remove(missing) }
        #expect(server.answer(row.request).ids == Self.ids(row.page))
        #expect(server.answer(row.request).hasMore == row.hasMore)
        server.rules.unsupported = .refused
        #expect(server.answer(row.request).status == 400)
        #expect(server.answer(PageRequest(limit: 3)).status == 200)
    }
}

extension SimulatedFeedServerAnswerTests {
    @Test(arguments: [Order.decimal, .text])
    func `by id, a bound needs no item`(order: Order) throws {
        let server = try Self.server(order)
        try server.delete(Self.id(5))
        let request = { PageRequest(above: $0, below: $1, countedFrom: $2, limit: 2) }
        for inclusive in [Set(), Set(Paging.Parameter.allCases)] {
            server.rules.inclusive = inclusive
            #expect(server.answer(request(nil, Self.id(5), .newest)).ids == Self.ids([4, 3]))
            #expect(server.answer(request(Self.id(5), nil, .newest)).ids == Self.ids([10, 9]))
            #expect(server.answer(request(Self.id(5), nil, .oldest)).ids == Self.ids([7, 6]))
            #expect(server.answer(request("00", nil, .oldest)).ids == Self.ids([2, 1]))
            #expect(server.answer(request(nil, "99", .newest)).ids == Self.ids([10, 9]))
        }
    }

    @Test(arguments: [Order.newestOnTop, .ranked])
    func `by position, a bound whose item is gone is answered as the rules say`(order: Order) throws {
        let server = try Self.server(order)
        try server.delete(Self.id(5))
        let requests = [
            PageRequest(below: Self.id(5), limit: 2), PageRequest(above: Self.id(5), limit: 2),
            PageRequest(above: Self.id(5), countedFrom: .oldest, limit: 2),
            PageRequest(above: Self.id(5), below: Self.id(5), limit: 2),
        ]
        for request in requests {
            server.rules.missingAnchor = .notFound
            #expect(server.answer(request).status == 404)
            server.rules.missingAnchor = .empty
            #expect(server.answer(request).status == 200)
            #expect(server.answer(request).ids == [])
            server.rules.missingAnchor = .fromTheHead
            #expect(server.answer(request).ids == Self.ids([10, 9]))
        }
        // One of two bounds is missing: the other still counts.
        let half = PageRequest(above: Self.id(5), below: Self.id(9), countedFrom: .oldest, limit: 2)
        #expect(server.answer(half).ids == Self.ids([8, 7]))
    }

    @Test func `decimal bounds compare as numbers of any length`() throws {
        let long: [ItemID] = [
            "100000000000000000000000000000000000000", "99999999999999999999999999999999999999", "101", "100", "99",
            "9",
        ]
        let server = try SimulatedFeedServer(.decimal, holding: long)
        #expect(server.answer(PageRequest(above: "99", limit: 9)).ids == Array(long[..<4]))
        #expect(server.answer(PageRequest(below: "100", limit: 9)).ids == Array(long[4...]))
        #expect(server.answer(PageRequest(below: "0100", limit: 9)).ids == Array(long[4...]))
        #expect(server.answer(PageRequest(below: long[0], limit: 1)).ids == [long[1]])
    }

    @Test(arguments: ["", "abc", "-1", "1 ", "1.0", "٣"])
    func `a decimal bound that is no number is refused`(bound: String) throws {
        #expect(try Self.server(.decimal).answer(PageRequest(below: ItemID(bound), limit: 3)).status == 400)
    }

    @Test func `text bounds compare byte by byte`() throws {
        let server = try SimulatedFeedServer(.text, holding: ["a", "B", "é", "e\u{301}", "Z", "aa"])
        #expect(server.ids == ["é", "e\u{301}", "aa", "a", "Z", "B"])
        #expect(server.answer(PageRequest(above: "a", limit: 9)).ids == ["é", "e\u{301}", "aa"])
    }

    @Test func `by position, ids tell nothing of the order`() throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: ["5", "9", "1", "7"])
        #expect(server.answer(PageRequest(above: "1", limit: 9)).ids == ["5", "9"])
        #expect(server.answer(PageRequest(below: "9", limit: 9)).ids == ["1", "7"])
    }

    @Test func `hidden items count against the limit and never show`() throws {
        let server = try Self.server(.newestOnTop)
        for number in [9, 8, 5] { try server.hide(Self.id(number)) }
        let first = server.answer(PageRequest(limit: 3))
        #expect(first.ids == Self.ids([10]))
        #expect(first.hasMore)
        // The server still knows a hidden item: a bound finds it.
        #expect(server.answer(PageRequest(below: Self.id(8), limit: 3)).ids == Self.ids([7, 6]))
        #expect(server.answer(PageRequest(below: Self.id(10), limit: 2)).ids == [])
        #expect(server.answer(PageRequest(below: Self.id(10), limit: 2)).hasMore)
    }
}
