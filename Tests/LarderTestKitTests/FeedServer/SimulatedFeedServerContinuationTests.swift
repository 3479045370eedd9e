import LarderKit
import LarderTestKit
import Testing

/// What a server that gives something to go on with, or counts, makes of a continuation.
struct SimulatedFeedServerContinuationTests {
    typealias Order = SimulatedFeedServer.Order
    typealias Rules = SimulatedFeedServer.Rules

    static let byPosition = [Order.newestOnTop, .ranked]
    static let given = [Rules.Continuations.cursor, .link]

    static func server(
        _ order: Order = .newestOnTop, holding ids: [ItemID] = ["g", "f", "e", "d", "c", "b", "a"],
        by continuations: Rules.Continuations, _ change: (inout Rules) -> Void = { _ in }
    ) throws -> SimulatedFeedServer {
        var rules = Rules(change)
        rules.continuations = continuations
        return try SimulatedFeedServer(order, holding: ids, rules: rules)
    }

    @Test(arguments: byPosition, given)
    func `each page tells where to go on, and the last that nothing follows`(
        order: Order, by continuations: Rules.Continuations
    ) throws {
        let server = try Self.server(order, by: continuations)
        let first = server.answer(PageRequest(limit: 3))
        #expect(first.ids == ["g", "f", "e"])
        let second = server.answer(PageRequest(limit: 3, continuation: first.next))
        #expect(second.ids == ["d", "c", "b"])
        #expect(second.hasMore)
        let last = server.answer(PageRequest(limit: 3, continuation: second.next))
        #expect(last.ids == ["a"])
        #expect(last.follows == .nothing)
        #expect(!last.hasMore)
        #expect(server.answer(PageRequest(limit: 7)).follows == .nothing)
    }

    @Test(arguments: given)
    func `it bears on the list below the page, whatever changes above`(by continuations: Rules.Continuations) throws {
        let server = try Self.server(by: continuations)
        let next = server.answer(PageRequest(limit: 3)).next
        let ids = { server.answer(PageRequest(limit: 2, continuation: next)).ids }
        try server.insert(["i", "h"])
        #expect(ids() == ["d", "c"])
        try server.delete("f")
        #expect(ids() == ["d", "c"])
        // The item it stood at changes, goes, and comes again on top.
        try server.edit("e", text: "changed")
        #expect(ids() == ["d", "c"])
        try server.hide("e")
        #expect(ids() == ["d", "c"])
        try server.delete("e")
        #expect(ids() == ["d", "c"])
        try server.insert("e")
        #expect(ids() == ["d", "c"])
        // The one below it goes.
        try server.delete("d")
        #expect(ids() == ["c", "b"])
        try server.bump("c")
        #expect(ids() == ["b", "a"])
        for id in server.ids { try server.delete(id) }
        try server.insert("z")
        #expect(ids() == [])
    }

    @Test func `in a ranked list it keeps its place when the item it stood at moves`() throws {
        let server = try Self.server(.ranked, by: .cursor)
        let next = server.answer(PageRequest(limit: 3)).next
        try server.move("e", to: 6)
        #expect(server.answer(PageRequest(limit: 9, continuation: next)).ids == ["d", "c", "b", "a", "e"])
        try server.move("d", to: 0)
        #expect(server.answer(PageRequest(limit: 9, continuation: next)).ids == ["c", "b", "a", "e"])
    }

    @Test func `in a ranked list an item put right below the page follows it`() throws {
        let server = try Self.server(.ranked, by: .cursor)
        let next = server.answer(PageRequest(limit: 3)).next
        try server.insert("x", at: 3)
        #expect(server.answer(PageRequest(limit: 2, continuation: next)).ids == ["x", "d"])
    }

    @Test(arguments: given)
    func `hidden items make short and empty pages with more to go on to`(by continuations: Rules.Continuations) throws {
        let server = try Self.server(by: continuations)
        for id: ItemID in ["f", "e", "d"] { try server.hide(id) }
        var pages: [[ItemID]] = []
        var next: Continuation?
        repeat {
            let answer = server.answer(PageRequest(limit: 2, continuation: next))
            pages.append(answer.ids)
            next = answer.next
        } while next != nil && pages.count < 9
        #expect(pages == [["g"], [], ["c", "b"], ["a"]])
    }

    @Test func `a server may forget its cursors as the list changes`() throws {
        let server = try Self.server(by: .cursor) { $0.cursorLife = .changes(1, status: 410) }
        let first = server.answer(PageRequest(limit: 3))
        let request = PageRequest(limit: 3, continuation: first.next)
        try server.insert("h")
        #expect(server.answer(request).status == 200)
        try server.insert("i")
        #expect(server.answer(request).status == 410)
        #expect(server.answer(PageRequest(limit: 3)).status == 200)
        server.rules.cursorLife = .unlimited
        #expect(server.answer(request).ids == ["d", "c", "b"])
    }

    @Test(arguments: ["", "7", "YWZ0ZXI=", "YWZ0ZXIgOTkgYXQgMA=="])
    func `a cursor that the server never gave is refused`(cursor: String) throws {
        let server = try Self.server(by: .cursor)
        #expect(server.answer(PageRequest(limit: 3, continuation: .cursor(cursor))).status == 400)
    }

    @Test(arguments: ["https://elsewhere.example.test/feed", "https://api.example.test/other", "/feed", "%"])
    func `a link to another place leads nowhere`(target: String) throws {
        let server = try Self.server(by: .link)
        #expect(server.answer(PageRequest(limit: 3, continuation: .link(target))).status == 404)
    }

    @Test func `a link without a cursor leads to the first page`() throws {
        let server = try Self.server(by: .link)
        let home = Continuation.link("https://api.example.test/feed")
        #expect(server.answer(PageRequest(limit: 2, continuation: home)).ids == ["g", "f"])
    }

    @Test(arguments: byPosition)
    func `a list without an end goes on for ever, and the versions tell how`(order: Order) throws {
        let server = try Self.server(order, holding: ["b", "a"], by: .cursor) { $0.isEndless = true }
        var answer = server.answer(PageRequest(limit: 3))
        #expect(answer.ids.prefix(2) == ["b", "a"])
        #expect(answer.version == 1)
        var read = answer.ids
        for _ in 0..<5 {
            #expect(answer.hasMore)
            answer = server.answer(PageRequest(limit: 3, continuation: answer.next))
            #expect(answer.items.count == 3)
            #expect(server.ids(at: answer.version).starts(with: read + answer.ids))
            read += answer.ids
        }
        #expect(Set(read).count == 18)
        // All is taken away, what the page went on from and what lay below it too.
        for id in server.ids { try server.delete(id) }
        #expect(server.answer(PageRequest(limit: 3, continuation: answer.next)).items.count == 3)
    }

    @Test func `a list without an end has none for bounds and counts either`() throws {
        for continuations in [Rules.Continuations.none, .offset, .pageNumber(first: 0)] {
            let server = try Self.server(by: continuations) { $0.isEndless = true }
            #expect(server.answer(PageRequest(limit: 9)).items.count == 9)
            #expect(server.answer(PageRequest(limit: 9)).hasMore)
        }
        let server = try Self.server(by: .none) { $0.isEndless = true }
        #expect(server.answer(PageRequest(below: "b", limit: 2)).ids.first == "a")
        #expect(server.answer(PageRequest(above: "a", limit: 9)).items.count == 6)
        #expect(server.version == 1)
    }
}

/// Servers that count.
extension SimulatedFeedServerContinuationTests {
    @Test(
        arguments: byPosition,
        [
            (0, 0, ["g", "f", "e"], true), (0, 1, ["d", "c", "b"], true), (0, 2, ["a"], false), (0, 3, [], false),
            (1, 1, ["g", "f", "e"], true), (1, 3, ["a"], false), (1, 4, [], false), (1, Int.max, [], false),
            (-1, Int.max, [], false),
        ])
    func `pages are numbered from the one that is the first`(
        order: Order, row: (first: Int, number: Int, page: [ItemID], hasMore: Bool)
    ) throws {
        let server = try Self.server(order, by: .pageNumber(first: row.first))
        let answer = server.answer(PageRequest(limit: 3, continuation: .page(row.number)))
        #expect(answer.ids == row.page)
        #expect(answer.hasMore == row.hasMore)
        #expect(answer.follows == .unknown)
        #expect(server.answer(PageRequest(limit: 3)).ids == ["g", "f", "e"])
        #expect(server.answer(PageRequest(limit: 3, continuation: .page(row.first - 1))).status == 400)
    }

    @Test func `pages are as long as the cap lets them be`() throws {
        let server = try Self.server(by: .pageNumber(first: 1)) { $0.cap = 2 }
        #expect(server.answer(PageRequest(limit: 5, continuation: .page(2))).ids == ["e", "d"])
    }

    @Test(arguments: [(0, ["g", "f", "e"], true), (4, ["c", "b", "a"], false), (6, ["a"], false), (7, [], false)])
    func `so many items are left out as the offset says`(offset: Int, page: [ItemID], hasMore: Bool) throws {
        let server = try Self.server(by: .offset)
        let answer = server.answer(PageRequest(limit: 3, continuation: .offset(offset)))
        #expect(answer.ids == page)
        #expect(answer.hasMore == hasMore)
        #expect(answer.follows == .unknown)
    }

    @Test(arguments: [(-1, 400), (Int.max, 200)])
    func `an offset may be far too great, and not below nothing`(offset: Int, status: Int) throws {
        let answer = try Self.server(by: .offset).answer(PageRequest(limit: 3, continuation: .offset(offset)))
        #expect(answer.status == status)
        #expect(answer.ids == [])
    }

    @Test(arguments: [(Rules.Continuations.pageNumber(first: 1), Continuation.page(2)), (.offset, .offset(3))])
    func `counts are of the list as it is now, hidden items among it`(
        by continuations: Rules.Continuations, next: Continuation
    ) throws {
        let server = try Self.server(by: continuations)
        let request = PageRequest(limit: 3, continuation: next)
        try server.insert("h")
        #expect(server.answer(request).ids == ["e", "d", "c"])
        try server.delete("g")
        try server.delete("f")
        #expect(server.answer(request).ids == ["c", "b", "a"])
        try server.hide("h")
        try server.hide("c")
        #expect(server.answer(request).ids == ["b", "a"])
    }

    @Test(arguments: [Rules.Continuations.pageNumber(first: 1), .offset])
    func `the end is said where the rules say so`(by continuations: Rules.Continuations) throws {
        let server = try Self.server(by: continuations) { $0.endOfList = .said }
        #expect(server.answer(PageRequest(limit: 6)).follows == .unknown)
        #expect(server.answer(PageRequest(limit: 7)).follows == .nothing)
    }
}

/// What is not understood.
extension SimulatedFeedServerContinuationTests {
    @Test(arguments: [
        (Rules.Continuations.none, Continuation.cursor("x")), (.cursor, .link("x")), (.link, .page(2)),
        (.pageNumber(first: 1), .offset(2)), (.offset, .cursor("x")),
    ])
    func `a continuation of another kind is ignored or refused`(
        by continuations: Rules.Continuations, next: Continuation
    ) throws {
        let server = try Self.server(by: continuations)
        let request = PageRequest(limit: 2, continuation: next)
        #expect(server.answer(request).ids == ["g", "f"])
        server.rules.unsupported = .refused
        #expect(server.answer(request).status == 400)
    }

    @Test(arguments: [Rules.Continuations.cursor, .link, .pageNumber(first: 1), .offset])
    func `a server that pages in another way understands no bounds`(by continuations: Rules.Continuations) throws {
        let server = try Self.server(by: continuations)
        #expect(server.answer(PageRequest(below: "f", limit: 2)).ids == ["g", "f"])
        server.rules.unsupported = .refused
        #expect(server.answer(PageRequest(below: "f", limit: 2)).status == 400)
        #expect(server.answer(PageRequest(above: "f", limit: 2)).status == 400)
    }

    @Test func `the item that a continuation goes on from is not for the server`() throws {
        let server = try Self.server(by: .offset) { $0.unsupported = .refused }
        let answer = server.answer(PageRequest(below: "f", limit: 2, continuation: .offset(2)))
        #expect(answer.ids == ["e", "d"])
    }
}
