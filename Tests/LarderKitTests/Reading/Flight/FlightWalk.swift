import Testing

@testable import LarderKit

/// What may happen to flights. Flights and waiters are named by their place among those that are there.
enum FlightEvent: Hashable, Sendable {
    /// Somebody asks for a thing: from outside, or from within a flight.
    case board(Int, from: Int?)
    case leave(Int)
    case keep(Int)
    case land(Int)
    case detach(Int)
    case cancel(String)
}

/// One way that things may go, step by step: the machine and the rules beside each other.
struct FlightWalk {
    static let waiterLimit = 3
    static let flightLimit = 4

    private(set) var machine: FlightMachine
    private(set) var model: FlightModel
    private var history: [FlightEvent] = []
    private var started: Set<Int> = []
    private var cancelled: Set<Int> = []

    init(_ things: [FlightModel.Thing], budget: Int = 1) {
        machine = FlightMachine(budget: budget, sharedBudget: budget)
        model = FlightModel(things: things, budget: budget)
    }

    private var told: String { history.map { "\($0)" }.joined(separator: ", ") }

    func plan(_ thing: Int) -> FlightMachine.Plan {
        let thing = model.things[thing]
        return FlightMachine.Plan(
            key: Flights.Key(
                place: StoreKey(partition: thing.partition, key: thing.name), kind: "test", request: nil,
                type: ObjectIdentifier(Int.self)),
            lane: thing.lane.map { StoreKey(key: $0) }, origin: thing.origin)
    }

    /// What can happen here.
    var events: [FlightEvent] {
        let flights = model.flights.indices
        let begun = flights.filter { model.flights[$0].phase != .waiting }
        var events: [FlightEvent] = []
        if model.waiters.count < Self.waiterLimit, flights.count < Self.flightLimit {
            for thing in model.things.indices {
                events += ([nil] + begun).map { .board(thing, from: $0) }
            }
        }
        events += model.waiters.indices.map { .leave($0) } + begun.map { .land($0) }
        events += flights.filter { !model.flights[$0].goesOnAlone }.map { .keep($0) }
        events += model.things.indices.filter { model.joinable($0) != nil }.map { .detach($0) }
        if !flights.isEmpty { events += Set(model.things.map(\.partition)).sorted().map { .cancel($0) } }
        return events
    }

    mutating func take(_ event: FlightEvent) throws {
        history.append(event)
        switch event {
        case .board(let thing, let asking): try board(thing, asking.map { model.flights[$0].id })
        case .leave(let index): try leave(model.waiters[index])
        case .keep(let index):
            machine.keepFlying(model.flights[index].id)
            model.flights[index].goesOnAlone = true
        case .land(let index): try land(model.flights[index].id)
        case .detach(let thing):
            let key = plan(thing).key
            machine.detach { $0.key == key }
            for index in model.flights.indices where model.flights[index].thing == thing {
                model.flights[index].isJoinable = false
            }
        case .cancel(let partition): try cancel(partition)
        }
        try check()
    }

    private mutating func board(_ thing: Int, _ asking: Int?) throws {
        let (boarding, effects) = machine.board(plan(thing), from: asking)
        if let asking, model.isCircular(thing, from: asking) {
            try #require(boarding == .circular, "\(told)")
            try #require(effects == FlightMachine.Effects(), "\(told)")
            return
        }
        let joinable = model.joinable(thing)
        guard case .aboard(let flight, let waiter, let isNew) = boarding else {
            try #require(boarding != .circular, "\(told)")
            return
        }
        try #require(isNew == (joinable == nil), "\(told)")
        if let joinable { try #require(flight == joinable, "\(told)") }
        let expected = model.board(thing, flight: flight, waiter: waiter, asking: asking)
        try expect(effects, start: expected)
    }

    private mutating func leave(_ waiter: FlightModel.Waiter) throws {
        let effects = machine.leave(waiter.id)
        model.waiters.removeAll { $0.id == waiter.id }
        let isWanted =
            model.waiters.contains { $0.flight == waiter.flight } || model.flight(waiter.flight)?.goesOnAlone ?? true
        let end = isWanted ? .nothing : model.giveUp(waiter.flight)
        try expect(
            effects, start: model.start(), cancel: end == .cancelled ? [waiter.flight] : [],
            drop: end == .dropped ? [waiter.flight] : [])
    }

    private mutating func land(_ flight: Int) throws {
        let (aboard, effects) = machine.land(flight)
        try #require(Set(aboard) == Set(model.waiters.filter { $0.flight == flight }.map(\.id)), "\(told)")
        try #require(Set(aboard).count == aboard.count, "\(told)")
        model.waiters.removeAll { $0.flight == flight }
        model.flights.removeAll { $0.id == flight }
        try expect(effects, start: model.start())
    }

    private mutating func cancel(_ partition: String) throws {
        let effects = machine.cancel { $0.key.place.partition == partition }
        let meant = Set(model.flights.filter { model.things[$0.thing].partition == partition }.map(\.id))
        let released = model.waiters.filter { meant.contains($0.flight) }.map(\.id)
        model.waiters.removeAll { meant.contains($0.flight) }
        var (cancelled, dropped): (Set<Int>, Set<Int>) = ([], [])
        for flight in meant {
            switch model.giveUp(flight) {
            case .nothing: break
            case .dropped: dropped.insert(flight)
            case .cancelled: cancelled.insert(flight)
            }
        }
        try expect(effects, start: model.start(), cancel: cancelled, drop: dropped, release: Set(released))
    }

    private mutating func expect(
        _ effects: FlightMachine.Effects, start: Set<Int>, cancel: Set<Int> = [], drop: Set<Int> = [],
        release: Set<Int> = []
    ) throws {
        try #require(Set(effects.start) == start, "\(told)")
        try #require(Set(effects.cancel) == cancel, "\(told)")
        try #require(Set(effects.drop) == drop, "\(told)")
        try #require(Set(effects.release) == release, "\(told)")
        let all = effects.start + effects.cancel + effects.drop + effects.release
        try #require(Set(all).count == all.count, "something is to be done twice: \(told)")
        // What was dropped or started is never started again; what was cancelled is never cancelled again.
        try #require(started.isDisjoint(with: start) && started.isDisjoint(with: drop), "\(told)")
        try #require(cancelled.isDisjoint(with: cancel) && started.isSuperset(of: cancel), "\(told)")
        started.formUnion(start)
        cancelled.formUnion(cancel)
    }

    // MARK: What must hold

    private func check() throws {
        try #require(machine.count == model.flights.count, "\(told)")
        try #require(machine.waiterCount == model.waiters.count, "\(told)")
        try #require(machine.joinableFlights == model.flights.filter(\.isJoinable).map(\.id), "\(told)")
        for (index, thing) in model.things.enumerated() {
            try #require(machine.isUnderWay(plan(index).key) == (model.joinable(index) != nil), "\(told)")
            try #require(machine.flyingCount(of: thing.origin) == model.flyingCount(thing.origin), "\(told)")
            let inBudget = model.flights.count {
                $0.phase != .waiting && !$0.isUrgent && model.things[$0.thing].origin == thing.origin
            }
            try #require(inBudget <= model.budget, "\(told)")
            let inLane = model.flights.count {
                $0.phase != .waiting && thing.lane != nil && model.things[$0.thing].lane == thing.lane
            }
            try #require(inLane <= 1, "\(told)")
            try #require(model.flights.count { $0.thing == index && $0.isJoinable } <= 1, "\(told)")
        }
        // Somebody can always go on: a flight that has begun, and waits for no other.
        try #require(model.flights.isEmpty || next != nil, "stuck: \(told)")
    }

    /// The first flight that can land now.
    private var next: Int? {
        model.flights.indices.first { index in
            model.flights[index].phase != .waiting && !model.waiters.contains { $0.asking == model.flights[index].id }
        }
    }

    /// Lets everything end. Everybody gets an answer, and the machine remembers nothing.
    func end() throws {
        var walk = self
        while let next = walk.next { try walk.take(.land(next)) }
        try #require(walk.model.flights.isEmpty && walk.model.waiters.isEmpty, "\(told)")
        for (name, value) in Mirror(reflecting: walk.machine).children {
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .dictionary || mirror.displayStyle == .collection else { continue }
            try #require(mirror.children.isEmpty, "\(name ?? "") is not empty: \(told)")
        }
    }
}
