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
