import LarderKit
import LarderTestKit
import Testing

struct SimulatedFeedServerFaultTests {
    typealias Fault = SimulatedFeedServer.Fault

    @Test(arguments: [
        (Fault.duplicate, [10, 10, 9, 8], true),
        (.unsorted, [8, 10, 9], true),
        (.oversize(by: 2), [10, 9, 8, 7, 6], true),
        (.oversize(by: 99), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], false),
        (.short(by: 2), [10], true),
        (.short(by: 99), [], true),
        (.empty, [], true),
    ])
    func `a fault spoils one answer`(fault: Fault, page: [Int], hasMore: Bool) throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...10)
        server.inject(fault)
        let answer = server.answer(PageRequest(limit: 3))
        #expect(answer.ids == page.map { ItemID($0) })
        #expect(answer.hasMore == hasMore)
        #expect(answer.fault == fault)

        let next = server.answer(PageRequest(limit: 3))
        #expect(next.ids == ["10", "9", "8"])
        #expect(next.fault == nil)
    }

    @Test(arguments: [Fault.duplicate, .unsorted, .short(by: 1), .empty])
    func `a fault has nothing to spoil in an empty list`(fault: Fault) {
        let server = SimulatedFeedServer(.ranked)
        server.inject(fault)
        let answer = server.answer(PageRequest(limit: 3))
        #expect(answer.ids == [])
        #expect(!answer.hasMore)
    }

    @Test func `an oversize page exceeds the cap`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...10, rules: .init { $0.cap = 4 })
        server.inject(.oversize(by: 1))
        #expect(server.answer(PageRequest(limit: 40)).items.count == 5)
    }

    @Test func `a short page counted from the oldest lacks the newer ones`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...10)
        server.inject(.short(by: 1))
        #expect(server.answer(PageRequest(above: "4", countedFrom: .oldest, limit: 3)).ids == ["6", "5"])
    }

    @Test func `faults are taken in order, as often as asked`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...10)
        server.inject(.status(503), times: 2)
        server.inject(.empty, times: 0)
        server.inject(.status(404))
        let statuses = (0..<4).map { _ in server.answer(PageRequest(limit: 1)).status }
        #expect(statuses == [503, 503, 404, 200])
    }

    @Test func `a lasting fault lasts until it is cleared`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...10)
        server.inject(.empty, times: .max)
        for _ in 0..<5 { #expect(server.answer(PageRequest(limit: 1)).items.isEmpty) }
        server.clearFaults()
        #expect(server.answer(PageRequest(limit: 1)).items.count == 1)
    }
}

/// Faults of servers that give something to go on with.
extension SimulatedFeedServerFaultTests {
    typealias Rules = SimulatedFeedServer.Rules

    private func server(by continuations: Rules.Continuations) throws -> SimulatedFeedServer {
        try SimulatedFeedServer(.newestOnTop, holding: 11...19, rules: .init { $0.continuations = continuations })
    }

    @Test(arguments: [400, 410])
    func `an expired cursor is refused, and a first page is not`(status: Int) throws {
        let server = try server(by: .cursor)
        let next = server.answer(PageRequest(limit: 3)).next
        server.inject(.expired(status: status), times: 2)
        #expect(server.answer(PageRequest(limit: 3)).ids == ["19", "18", "17"])
        #expect(server.answer(PageRequest(limit: 3, continuation: next)).status == status)
        #expect(server.answer(PageRequest(limit: 3, continuation: next)).ids == ["16", "15", "14"])
    }

    @Test(arguments: [Rules.Continuations.cursor, .link], [0, 1, 2, 3, 9])
    func `a loop leads back to this page or an earlier one`(by continuations: Rules.Continuations, pages: Int) throws {
        let server = try server(by: continuations)
        let first = server.answer(PageRequest(limit: 3))
        let second = server.answer(PageRequest(limit: 3, continuation: first.next))
        server.inject(.loop(pages: pages))
        let third = server.answer(PageRequest(limit: 3, continuation: second.next))
        #expect(third.ids == ["13", "12", "11"])
        #expect(!third.hasMore)
        let back = server.answer(PageRequest(limit: 3, continuation: third.next))
        #expect(back.ids == [third, third, second, first].map(\.ids)[min(pages, 3)])
    }

    @Test func `a lasting loop never leaves its page`() throws {
        let server = try server(by: .cursor)
        server.inject(.loop(pages: 1), times: .max)
        var answer = server.answer(PageRequest(limit: 3))
        for _ in 0..<3 {
            answer = server.answer(PageRequest(limit: 3, continuation: answer.next))
            #expect(answer.ids == ["19", "18", "17"])
        }
    }

    @Test(arguments: [Fault.empty, .short(by: 99)])
    func `an empty page goes on to what it lacks`(fault: Fault) throws {
        let server = try server(by: .cursor)
        let first = server.answer(PageRequest(limit: 3))
        server.inject(fault)
        let second = server.answer(PageRequest(limit: 3, continuation: first.next))
        #expect(second.ids == [])
        #expect(server.answer(PageRequest(limit: 3, continuation: second.next)).ids == ["16", "15", "14"])

        server.inject(fault)
        let top = server.answer(PageRequest(limit: 3))
        #expect(top.ids == [])
        #expect(server.answer(PageRequest(limit: 3, continuation: top.next)).ids == first.ids)
    }

    @Test func `a page that is too short or too long goes on from its own last item`() throws {
        let server = try server(by: .cursor)
        server.inject(.short(by: 1))
        let short = server.answer(PageRequest(limit: 3))
        server.inject(.oversize(by: 2))
        let long = server.answer(PageRequest(limit: 3, continuation: short.next))
        #expect(long.ids == ["17", "16", "15", "14", "13"])
        #expect(server.answer(PageRequest(limit: 3, continuation: long.next)).ids == ["12", "11"])
    }

    @Test(arguments: [
        (Fault.short(by: 2), ["16"]), (.oversize(by: 1), ["16", "15", "14", "13"]), (.empty, []),
    ])
    func `a numbered page of a wrong size begins where it should`(fault: Fault, page: [ItemID]) throws {
        let server = try server(by: .pageNumber(first: 1))
        server.inject(fault)
        #expect(server.answer(PageRequest(limit: 3, continuation: .page(2))).ids == page)
    }

    @Test func `the first page comes whatever was asked for`() throws {
        for next in [Continuation.page(2), .page(0)] {
            let server = try server(by: .pageNumber(first: 1))
            server.inject(.firstPage)
            #expect(server.answer(PageRequest(limit: 3, continuation: next)).ids == ["19", "18", "17"])
        }
        let server = try server(by: .cursor)
        let first = server.answer(PageRequest(limit: 3))
        server.inject(.firstPage)
        #expect(server.answer(PageRequest(limit: 3, continuation: first.next)).next == first.next)
        server.rules.continuations = .none
        server.inject(.firstPage)
        #expect(server.answer(PageRequest(below: "15", limit: 3)).ids == ["19", "18", "17"])
    }

    @Test func `a foreign link leads to another origin, which this server is not`() throws {
        let server = try server(by: .link)
        let right = server.answer(PageRequest(limit: 3)).next
        server.inject(.foreignLink)
        let foreign = server.answer(PageRequest(limit: 3)).next
        guard case .link(let right) = right, case .link(let target) = foreign else {
            Issue.record("no link")
            return
        }
        #expect(target.hasPrefix("https://elsewhere.example.test/feed?cursor="))
        #expect(target.replacing("elsewhere", with: "api") == right)
        #expect(server.answer(PageRequest(limit: 3, continuation: foreign)).status == 404)
    }
}
