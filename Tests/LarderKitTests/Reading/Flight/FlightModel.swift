import Testing

@testable import LarderKit

/// What the flight machine is to do, in the plainest words: the rules, without any of its bookkeeping. Tells what a machine
/// under test must answer to each event.
struct FlightModel: Hashable {
    /// What may be asked for: a name, which is also the account it belongs to, a lane and a host.
    struct Thing: Hashable {
        let name: String
        let partition: String
        let lane: String?
        let origin: String?
    }

    enum Phase: Hashable { case waiting, flying, abandoned }

    struct Flight: Hashable {
        let id: Int
        let thing: Int
        var phase = Phase.waiting
        var isJoinable = true
        var goesOnAlone = false
        var isUrgent = false
    }

    struct Waiter: Hashable {
        let id: Int
        let flight: Int
        let asking: Int?
    }

    let things: [Thing]
    let budget: Int
    /// In the order they came.
    var flights: [Flight] = []
    var waiters: [Waiter] = []

    func flight(_ id: Int) -> Flight? { flights.first { $0.id == id } }

    private func lane(_ flight: Flight) -> String? { things[flight.thing].lane }

    func flyingCount(_ origin: String?) -> Int {
        flights.count { $0.phase != .waiting && things[$0.thing].origin == origin }
    }

    /// Everything that a flight has to wait for, however indirectly, with itself.
    func needs(_ id: Int) -> Set<Int> {
        var found: Set<Int> = []
        var open = [id]
        while let next = open.popLast() {
            guard found.insert(next).inserted else { continue }
            open += waiters.filter { $0.asking == next }.map(\.flight)
            guard let flight = flight(next), let lane = lane(flight) else { continue }
            open += flights.prefix { $0.id != next }.filter { self.lane($0) == lane }.map(\.id)
        }
        return found
    }

    /// The flight that whoever asks would join.
    func joinable(_ thing: Int) -> Int? { flights.first { $0.thing == thing && $0.isJoinable }?.id }

    /// Whether what asks would wait for itself.
    func isCircular(_ thing: Int, from asking: Int) -> Bool {
        let ahead =
            joinable(thing).map { [$0] }
            ?? flights.filter { lane($0) != nil && lane($0) == things[thing].lane }.map(\.id)
        return ahead.contains { needs($0).contains(asking) }
    }

    /// Starts whatever may start.
    ///
    /// - Returns: What was started.
    mutating func start() -> Set<Int> {
        var started: Set<Int> = []
        var isDone = false
        while !isDone {
            isDone = true
            for index in flights.indices where flights[index].phase == .waiting {
                let flight = flights[index]
                let isFirst = lane(flight) == nil || !flights[..<index].contains { lane($0) == lane(flight) }
                guard isFirst, flight.isUrgent || flyingCount(things[flight.thing].origin) < budget else { continue }
                flights[index].phase = .flying
                started.insert(flight.id)
                isDone = false
            }
        }
        return started
    }

    mutating func board(_ thing: Int, flight: Int, waiter: Int, asking: Int?) -> Set<Int> {
        if joinable(thing) == nil { flights.append(Flight(id: flight, thing: thing)) }
        waiters.append(Waiter(id: waiter, flight: flight, asking: asking))
        if asking != nil {
            let needed = needs(flight)
            for index in flights.indices where needed.contains(flights[index].id) { flights[index].isUrgent = true }
        }
        return start()
    }

    enum End { case nothing, dropped, cancelled }

    mutating func giveUp(_ id: Int) -> End {
        guard let index = flights.firstIndex(where: { $0.id == id }) else { return .nothing }
        flights[index].isJoinable = false
        switch flights[index].phase {
        case .waiting:
            flights.remove(at: index)
            return .dropped
        case .flying:
            flights[index].phase = .abandoned
            return .cancelled
        case .abandoned:
            return .nothing
        }
    }

    /// The same state with the flights and waiters counted from one: what tells two ways apart that lead to the same place.
    var place: FlightModel {
        var numbers: [Int: Int] = [:]
        for flight in flights { numbers[flight.id] = numbers.count + 1 }
        var place = self
        place.flights = flights.map { flight in
            Flight(
                id: numbers[flight.id] ?? 0, thing: flight.thing, phase: flight.phase, isJoinable: flight.isJoinable,
                goesOnAlone: flight.goesOnAlone, isUrgent: flight.isUrgent)
        }
        // Who waits for the same thing for the same reason is the same.
        let pairs = waiters.map { (numbers[$0.flight] ?? 0, $0.asking.flatMap { numbers[$0] } ?? 0) }
        place.waiters = pairs.sorted { $0 < $1 }.enumerated().map { index, pair in
            Waiter(id: index, flight: pair.0, asking: pair.1)
        }
        return place
    }
}
