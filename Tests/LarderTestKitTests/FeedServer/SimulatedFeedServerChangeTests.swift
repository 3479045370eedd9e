import LarderKit
import LarderTestKit
import Testing

struct SimulatedFeedServerChangeTests {
    typealias Order = SimulatedFeedServer.Order
    typealias Misuse = SimulatedFeedServer.Misuse

    @Test func `every change is a version, and old versions stay as they were`() throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: ["b", "a"])
        #expect(server.version == 0)
        #expect(try server.insert("c") == 1)
        #expect(try server.edit("a", text: "changed") == 2)
        #expect(try server.delete("b") == 3)
        #expect(try server.bump("a") == 4)
        #expect(try server.insert(["e", "d"]) == 5)
        #expect(try server.hide("c") == 6)
        let expected: [[ItemID]] = [
            ["b", "a"], ["c", "b", "a"], ["c", "b", "a"], ["c", "a"], ["a", "c"], ["e", "d", "a", "c"],
            ["e", "d", "a"],
        ]
        #expect((0...server.version).map { server.ids(at: $0) } == expected)
        #expect(server.ids == expected.last)
        #expect(server.list(at: 1).last?.text == "item a")
        #expect(server.list(at: 2).last?.text == "changed")
        #expect(server.list(at: 4).first?.text == "changed")
    }

    @Test func `an answer is of the newest version, and says which`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...3)
        try server.insert("4", text: "four")
        let answer = server.answer(PageRequest(limit: 2))
        try server.delete("4")
        #expect(answer.version == 1)
        #expect(answer.items.first?.text == "four")
        #expect(answer.ids == Array(server.ids(at: answer.version).prefix(2)))
    }

    @Test(arguments: [
        (Order.decimal, ["100", "9", "99", "10"], ["100", "99", "10", "9"]),
        (.text, ["100", "9", "99", "10"], ["99", "9", "100", "10"]),
        (.newestOnTop, ["100", "9", "99", "10"], ["10", "99", "9", "100"]),
        (.ranked, ["100", "9", "99", "10"], ["10", "99", "9", "100"]),
    ])
    func `an inserted item goes where the order wants it`(order: Order, inserted: [String], list: [String]) throws {
        let server = SimulatedFeedServer(order)
        for id in inserted { try server.insert(ItemID(id)) }
        #expect(server.ids == list.map { ItemID($0) })
    }

    @Test(arguments: Order.allCases)
    func `many items come at once, newest first`(order: Order) throws {
        let server = try SimulatedFeedServer(order, holding: 11...13)
        #expect(try server.insert(14...16) == 1)
        #expect(server.ids == (11...16).reversed().map { ItemID($0) })
    }

    @Test func `a ranked list is arranged by hand`() throws {
        let server = try SimulatedFeedServer(.ranked, holding: ["a", "b", "c", "d"])
        try server.move("a", to: 2)
        #expect(server.ids == ["b", "c", "a", "d"])
        try server.move("d", to: 0)
        #expect(server.ids == ["d", "b", "c", "a"])
        try server.move("d", to: 3)
        #expect(server.ids == ["b", "c", "a", "d"])
        try server.insert("e", at: 4)
        try server.insert("f", at: 1)
        #expect(server.ids == ["b", "f", "c", "a", "d", "e"])
        try server.bump("e")
        #expect(server.ids == ["e", "b", "f", "c", "a", "d"])
    }

    struct Forbidden: Sendable, CustomTestStringConvertible {
        let order: Order
        let misuse: Misuse
        let change: @Sendable (SimulatedFeedServer) throws -> Int

        init(
            by order: Order, as misuse: Misuse, _ change: @escaping @Sendable (SimulatedFeedServer) throws -> Int
        ) {
            (self.order, self.misuse, self.change) = (order, misuse, change)
        }

        var testDescription: String { "\(order) \(misuse)" }
    }

    static let forbidden = [
        Forbidden(by: .decimal, as: .alreadyThere("1")) { try $0.insert("1") },
        Forbidden(by: .ranked, as: .alreadyThere("1")) { try $0.insert("1", at: 0) },
        Forbidden(by: .decimal, as: .notDecimal("01")) { try $0.insert("01") },
        Forbidden(by: .decimal, as: .notDecimal("x")) { try $0.insert("x") },
        Forbidden(by: .decimal, as: .notDecimal("")) { try $0.insert("") },
        Forbidden(by: .text, as: .notThere("7")) { try $0.delete("7") },
        Forbidden(by: .text, as: .notThere("7")) { try $0.edit("7", text: "") },
        Forbidden(by: .text, as: .notThere("7")) { try $0.hide("7") },
        Forbidden(by: .ranked, as: .notThere("7")) { try $0.bump("7") },
        Forbidden(by: .ranked, as: .notThere("7")) { try $0.move("7", to: 0) },
        Forbidden(by: .decimal, as: .orderForbids) { try $0.bump("1") },
        Forbidden(by: .text, as: .orderForbids) { try $0.bump("1") },
        Forbidden(by: .newestOnTop, as: .orderForbids) { try $0.move("1", to: 0) },
        Forbidden(by: .newestOnTop, as: .orderForbids) { try $0.insert("7", at: 0) },
        Forbidden(by: .ranked, as: .noSuchPlace(3)) { try $0.move("1", to: 3) },
        Forbidden(by: .ranked, as: .noSuchPlace(4)) { try $0.insert("7", at: 4) },
        Forbidden(by: .ranked, as: .noSuchPlace(-1)) { try $0.insert("7", at: -1) },
    ]

    @Test(arguments: forbidden)
    func `what the order forbids is refused and changes nothing`(row: Forbidden) throws {
        let server = try SimulatedFeedServer(row.order, holding: 1...3)
        #expect(throws: row.misuse) { try row.change(server) }
        #expect(server.version == 0)
        #expect(server.ids == ["3", "2", "1"])
    }

    @Test func `a change that fails half way changes nothing`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...3)
        #expect(throws: Misuse.alreadyThere("3")) { try server.insert(["5", "4", "3"]) }
        #expect(server.ids == ["3", "2", "1"])
    }
}
