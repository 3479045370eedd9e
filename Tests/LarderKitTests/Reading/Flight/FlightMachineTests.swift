import Testing

@testable import LarderKit

@Suite struct FlightMachineTests {
    private func plan(
        _ key: String, lane: String? = nil, origin: String? = nil, partition: String = "", tags: [String] = []
    ) -> FlightMachine.Plan {
        FlightMachine.Plan(
            key: Flights.Key(
                place: StoreKey(partition: partition, key: key), kind: "test", request: nil,
                type: ObjectIdentifier(Int.self)),
            tags: tags, lane: lane.map { StoreKey(key: $0) }, origin: origin)
    }

    /// A machine under test, with what was aboard and what is to be done in one value.
    private struct Rig {
        var machine: FlightMachine
        private(set) var started: [Int] = []
        private(set) var cancelled: [Int] = []
        private(set) var dropped: [Int] = []
        private(set) var released: [Int] = []

        init(budget: Int = 2, sharedBudget: Int = 3) {
            machine = FlightMachine(budget: budget, sharedBudget: sharedBudget)
        }

        mutating func board(
            _ plan: FlightMachine.Plan, from asking: Int? = nil
        ) throws -> (flight: Int, waiter: Int, isNew: Bool) {
            let (boarding, effects) = machine.board(plan, from: asking)
            note(effects)
            guard case .aboard(let flight, let waiter, let isNew) = boarding else { throw Flights.Trouble.circular }
            return (flight, waiter, isNew)
        }

        mutating func leave(_ waiter: Int) { note(machine.leave(waiter)) }

        mutating func land(_ flight: Int) -> [Int] {
            let (aboard, effects) = machine.land(flight)
            note(effects)
            return aboard
        }

        mutating func cancel(partition: String) { note(machine.cancel { $0.key.place.partition == partition }) }

        private mutating func note(_ effects: FlightMachine.Effects) {
            started += effects.start
            cancelled += effects.cancel
            dropped += effects.drop
            released += effects.release
        }
    }

    // MARK: Joining and leaving

    @Test func `who asks for what is under way joins, and all get what it brings`() throws {
        var rig = Rig()
        let first = try rig.board(plan("a"))
        let second = try rig.board(plan("a"))
        #expect(first.isNew && !second.isNew && first.flight == second.flight)
        #expect(rig.started == [first.flight])
        #expect(rig.land(first.flight) == [first.waiter, second.waiter])
        #expect(try rig.board(plan("a")).isNew)
    }

    @Test func `a flight is given up with its last waiter, and not before`() throws {
        var rig = Rig()
        let first = try rig.board(plan("a"))
        let second = try rig.board(plan("a"))
        rig.leave(first.waiter)
        #expect(rig.cancelled == [])
        rig.leave(second.waiter)
        rig.leave(second.waiter)
        #expect(rig.cancelled == [first.flight])
        // It is not joined while it ends, and brings nobody anything.
        #expect(try rig.board(plan("a")).isNew)
        #expect(rig.land(first.flight) == [])
    }

    @Test func `what is told to go on does so without a waiter, and is joined`() throws {
        var rig = Rig()
        let first = try rig.board(plan("a"))
        rig.machine.keepFlying(first.flight)
        rig.leave(first.waiter)
        let second = try rig.board(plan("a"))
        rig.leave(second.waiter)
        #expect(rig.cancelled == [] && !second.isNew)
        #expect(rig.machine.waiterCount(of: plan("a").key) == 0)
    }

    @Test func `what has not begun when its last waiter leaves never begins`() throws {
        var rig = Rig(budget: 1)
        let first = try rig.board(plan("a", origin: "x"))
        let second = try rig.board(plan("b", origin: "x"))
        rig.leave(second.waiter)
        #expect(rig.dropped == [second.flight])
        _ = rig.land(first.flight)
        #expect(rig.started == [first.flight])
        #expect(rig.machine.count == 0)
    }

    @Test func `a flight that is detached is not joined any more, and brings those aboard what it has`() throws {
        var rig = Rig()
        let first = try rig.board(plan("a", tags: ["t"]))
        let other = try rig.board(plan("b"))
        rig.machine.detach { $0.tags.contains("t") }
        let second = try rig.board(plan("a", tags: ["t"]))
        #expect(second.isNew)
        #expect(rig.cancelled == [])
        #expect(try !rig.board(plan("b")).isNew)
        // The end of the older one does not let go of the newer.
        #expect(rig.land(first.flight) == [first.waiter])
        #expect(try rig.board(plan("a")).flight == second.flight)
        #expect(rig.machine.joinableFlights == [other.flight, second.flight])
    }

    @Test func `of a partition that is cancelled nothing goes on, and nobody waits`() throws {
        var rig = Rig(sharedBudget: 1)
        let flying = try rig.board(plan("a", partition: "p"))
        rig.machine.keepFlying(flying.flight)
        let joined = try rig.board(plan("a", partition: "p"))
        let waiting = try rig.board(plan("b", partition: "p"))
        let other = try rig.board(plan("a", partition: "q"))
        rig.cancel(partition: "p")
        #expect(rig.released.sorted() == [flying.waiter, joined.waiter, waiting.waiter])
        #expect(rig.cancelled == [flying.flight] && rig.dropped == [waiting.flight])
        #expect(rig.machine.joinableFlights == [other.flight])
        rig.cancel(partition: "p")
        #expect(rig.cancelled == [flying.flight])
        #expect(rig.land(flying.flight) == [])
        #expect(rig.started == [flying.flight, other.flight])
    }

    @Test func `of a lane that is cancelled whole nothing begins on the way`() throws {
        var rig = Rig(budget: 1)
        let blocking = try rig.board(plan("z", origin: "x"))
        let first = try rig.board(plan("a", lane: "l", origin: "x", partition: "p"))
        let second = try rig.board(plan("b", lane: "l", origin: "y", partition: "p"))
        rig.cancel(partition: "p")
        #expect(rig.started == [blocking.flight])
        #expect(rig.cancelled == [] && rig.dropped.sorted() == [first.flight, second.flight])
        #expect(rig.machine.count == 1 && rig.machine.flyingCount(of: "y") == 0)
    }

    // MARK: Lanes and budgets

    @Test func `flights of a lane go one after the other in the order they came`() throws {
        var rig = Rig()
        let flights = try ["a", "b", "c"].map { try rig.board(plan($0, lane: "l")).flight }
        #expect(rig.started == [flights[0]])
        for (index, flight) in flights.enumerated() {
            #expect(rig.started == Array(flights[...index]))
            _ = rig.land(flight)
        }
    }

    @Test func `one that was given up keeps its lane until it is over`() throws {
        var rig = Rig()
        let first = try rig.board(plan("a", lane: "l"))
        let second = try rig.board(plan("b", lane: "l"))
        rig.leave(first.waiter)
        #expect(rig.started == [first.flight])
        _ = rig.land(first.flight)
        #expect(rig.started == [first.flight, second.flight])
    }

    @Test(arguments: [(origin: "x", budget: 2), (nil, 3)])
    func `of one host a few requests are under way at a time, and of all that name none a few more`(
        origin: String?, budget: Int
    ) throws {
        var rig = Rig(budget: 2, sharedBudget: 3)
        let flights = try (0..<5).map { try rig.board(plan("\($0)", origin: origin)).flight }
        #expect(rig.started == Array(flights.prefix(budget)))
        // Another host has a budget of its own.
        let other = try rig.board(plan("other", origin: "other")).flight
        #expect(rig.started == Array(flights.prefix(budget)) + [other])
        for (count, flight) in flights.enumerated() {
            _ = rig.land(flight)
            #expect(rig.machine.flyingCount(of: origin) == min(budget, 4 - count))
        }
        #expect(rig.started.filter { $0 != other } == flights)
    }

    @Test func `who waits in a lane holds no place in the budget`() throws {
        var rig = Rig(budget: 2)
        let first = try rig.board(plan("a", lane: "l", origin: "x")).flight
        _ = try rig.board(plan("b", lane: "l", origin: "x"))
        let third = try rig.board(plan("c", origin: "x")).flight
        #expect(rig.started == [first, third])
    }

    @Test func `a budget below one is one`() throws {
        var rig = Rig(budget: 0, sharedBudget: -1)
        let named = try rig.board(plan("a", origin: "x")).flight
        let unnamed = try rig.board(plan("b")).flight
        #expect(rig.started == [named, unnamed])
    }

    // MARK: Reading within a flight

    @Test func `what a flight waits for begins at once, with all that lies before it`() throws {
        var rig = Rig(budget: 1)
        let outer = try rig.board(plan("outer", origin: "x")).flight
        let before = try rig.board(plan("a", lane: "l", origin: "x")).flight
        let other = try rig.board(plan("other", origin: "x")).flight
        let inner = try rig.board(plan("b", lane: "l", origin: "x"), from: outer).flight
        #expect(rig.started == [outer, before])
        _ = rig.land(before)
        #expect(rig.started == [outer, before, inner])
        _ = rig.land(inner)
        #expect(rig.started == [outer, before, inner])
        _ = rig.land(outer)
        #expect(rig.started == [outer, before, inner, other])
    }

    @Test func `what waits for its budget begins when a flight joins it`() throws {
        var rig = Rig(budget: 1)
        let outer = try rig.board(plan("outer", origin: "x")).flight
        let token = try rig.board(plan("token", origin: "x")).flight
        #expect(rig.started == [outer])
        let joined = try rig.board(plan("token", origin: "x"), from: outer)
        #expect(!joined.isNew && rig.started == [outer, token])
    }

    @Test(arguments: [
        // Who reads what: the last read would never end.
        [("a", "a")],
        [("a", "b"), ("b", "a")],
        [("a", "b"), ("b", "c"), ("c", "a")],
        [("a", "b"), ("a", "c"), ("b", "c"), ("c", "b")],
    ])
    func `who waits for himself is told so`(reads: [(reader: String, read: String)]) throws {
        var rig = Rig()
        var flights: [String: Int] = [:]
        for name in Set(reads.flatMap { [$0.reader, $0.read] }).sorted() {
            flights[name] = try rig.board(plan(name)).flight
        }
        for (reader, read) in reads.dropLast() { _ = try rig.board(plan(read), from: flights[reader]) }
        let last = try #require(reads.last)
        let waiters = rig.machine.waiterCount
        #expect(throws: Flights.Trouble.circular) { _ = try rig.board(plan(last.read), from: flights[last.reader]) }
        // That leaves nothing behind.
        #expect(rig.machine.waiterCount == waiters)
        // From outside anybody may ask.
        #expect(try !rig.board(plan(last.read)).isNew)
    }

    @Test func `a flight of a lane does not wait for another one of that lane`() throws {
        var rig = Rig()
        let page = try rig.board(plan("page", lane: "feed")).flight
        #expect(throws: Flights.Trouble.circular) { _ = try rig.board(plan("other page", lane: "feed"), from: page) }
        // Not through another flight either.
        let profile = try rig.board(plan("profile"), from: page).flight
        #expect(throws: Flights.Trouble.circular) { _ = try rig.board(plan("other page", lane: "feed"), from: profile) }
        #expect(throws: Flights.Trouble.circular) { _ = try rig.board(plan("page", lane: "feed"), from: profile) }
        #expect(rig.machine.count == 2)
    }

    @Test func `who stands behind in a lane may be waited for only by what is not waited for there`() throws {
        var rig = Rig()
        let first = try rig.board(plan("first", lane: "feed")).flight
        _ = try rig.board(plan("second", lane: "feed"))
        #expect(throws: Flights.Trouble.circular) { _ = try rig.board(plan("second", lane: "feed"), from: first) }
        let stranger = try rig.board(plan("stranger")).flight
        #expect(try !rig.board(plan("second", lane: "feed"), from: stranger).isNew)
        #expect(throws: Flights.Trouble.circular) { _ = try rig.board(plan("stranger"), from: first) }
    }

    @Test func `a wait that has ended makes no circle`() throws {
        var rig = Rig()
        let a = try rig.board(plan("a")).flight
        let read = try rig.board(plan("b"), from: a)
        rig.machine.keepFlying(read.flight)
        rig.leave(read.waiter)
        #expect(try !rig.board(plan("a"), from: read.flight).isNew)
        // Who asks from a flight that is over asks from outside.
        _ = rig.land(a)
        #expect(try rig.board(plan("a"), from: a).isNew)
    }

    @Test func `a flight that was given up and reads on waits like another`() throws {
        var rig = Rig()
        let outer = try rig.board(plan("a"))
        rig.leave(outer.waiter)
        let inner = try rig.board(plan("b"), from: outer.flight)
        #expect(rig.started == [outer.flight, inner.flight])
        // The new flight of the same key is another one, and no circle by itself.
        let again = try rig.board(plan("a"), from: inner.flight)
        #expect(again.isNew)
        #expect(throws: Flights.Trouble.circular) { _ = try rig.board(plan("b"), from: again.flight) }
    }
}
