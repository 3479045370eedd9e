import Testing

@testable import LarderKit

@Suite struct GivenUpLaneTests {
    private func plan(_ name: String, _ lane: String?, origin: String) -> FlightMachine.Plan {
        FlightMachine.Plan(
            key: Flights.Key(
                place: StoreKey(key: name), kind: "test", request: nil, type: ObjectIdentifier(Int.self)),
            lane: lane.map { StoreKey(key: $0) }, origin: origin)
    }

    /// Two handles of one feed may name two hosts.
    @Test func `flights of one lane that are given up together leave it free, whoever they wait for`() throws {
        var machine = FlightMachine(budget: 1)
        _ = machine.board(plan("other", nil, origin: "a"), from: nil)
        _ = machine.board(plan("first", "lane", origin: "a"), from: nil)
        _ = machine.board(plan("second", "lane", origin: "b"), from: nil)
        let effects = machine.cancel { $0.lane != nil }
        #expect(effects.start.isEmpty && effects.cancel.isEmpty && effects.drop.count == 2)
        #expect(machine.count == 1 && machine.flyingCount(of: "b") == 0)
        #expect(machine.board(plan("third", "lane", origin: "b"), from: nil).1.start.count == 1)
    }
}
