/// Decides which requests are under way, who waits for which, and when each may start. A pure value: it starts and wakes
/// nothing itself, but says what is to be started, cancelled and woken.
///
/// - One flight a key: whoever asks for what is being fetched joins.
/// - Flights of one lane (a feed) go one after the other; of one origin, a number of them at a time.
/// - A flight is given up when its last waiter leaves, unless it has been told to go on.
/// - A fetch closure that reads waits on behalf of its own flight. What such a reader waits for starts at once, since the
///   flight it would have to wait behind may be the very one that waits for it; and nobody joins a flight that waits for
///   him.
struct FlightMachine: Sendable {
    /// What there is to know of a flight before it starts.
    struct Plan: Sendable {
        let key: Flights.Key
        var tags: [String] = []
        /// Flights of one lane go one at a time.
        var lane: StoreKey?
        /// Whose budget the flight is on; `nil` for the one of all that name no host.
        var origin: String?
    }

    typealias FlightID = Int
    typealias WaiterID = Int

    /// What is to be done outside.
    struct Effects: Sendable, Equatable {
        var start: [FlightID] = []
        var cancel: [FlightID] = []
        /// Flights that will never start.
        var drop: [FlightID] = []
        /// Waiters that get nothing.
        var release: [WaiterID] = []
    }

    enum Boarding: Equatable {
        case aboard(FlightID, WaiterID, isNew: Bool)
        /// Waiting would never end: the flight waits for the one that asks.
        case circular
    }

    private enum Phase {
        case waiting
        case flying
        /// Given up, and not over yet.
        case abandoned
    }

    private struct Entry {
        let plan: Plan
        var phase = Phase.waiting
        var waiters: Set<WaiterID> = []
        var goesOnAlone = false
        /// Somebody waits for it from inside another flight.
        var isUrgent = false
    }

    private struct Waiter {
        let flight: FlightID
        /// The flight whose closure waits.
        let origin: FlightID?
    }

    /// How many flights of one origin are under way at a time; urgent ones come on top.
    static let budget = 6
    /// The same for all together that name no host, and may go to several.
    static let sharedBudget = 16

    private let budget: Int
    private let sharedBudget: Int
    private var nextID = 0
    private var flights: [FlightID: Entry] = [:]
    /// The flights that may be joined.
    private var joinable: [Flights.Key: FlightID] = [:]
    private var waiters: [WaiterID: Waiter] = [:]
    /// In the order they came; the first one flies, or is next to.
    private var lanes: [StoreKey: [FlightID]] = [:]
    private var flying: [String?: Int] = [:]
    /// In the order they came.
    private var waiting: [String?: [FlightID]] = [:]

    init(budget: Int = Self.budget, sharedBudget: Int = Self.sharedBudget) {
        self.budget = max(1, budget)
        self.sharedBudget = max(1, sharedBudget)
    }

    // MARK: Events

    /// Joins the flight of a key, or makes one.
    ///
    /// - Parameter asking: The flight whose closure asks.
    mutating func board(_ plan: Plan, from asking: FlightID?) -> (Boarding, Effects) {
        let asking = asking.flatMap { flights[$0] == nil ? nil : $0 }
        let joined = joinable[plan.key]
        if let asking {
            let ahead = joined.map { [$0] } ?? plan.lane.flatMap { lanes[$0] } ?? []
            if ahead.contains(where: { waits($0, for: asking) }) { return (.circular, Effects()) }
        }
        let flight = joined ?? add(plan)
        let waiter = newID()
        waiters[waiter] = Waiter(flight: flight, origin: asking)
        flights[flight]?.waiters.insert(waiter)
        if asking != nil { hurry(flight) }
        return (.aboard(flight, waiter, isNew: joined == nil), start(plan.origin, besides: flight))
    }

    /// The flight goes on when nobody waits for it any more.
    mutating func keepFlying(_ flight: FlightID) {
        flights[flight]?.goesOnAlone = true
    }

    /// A waiter waits no more.
    mutating func leave(_ waiter: WaiterID) -> Effects {
        guard let flight = waiters.removeValue(forKey: waiter)?.flight else { return Effects() }
        flights[flight]?.waiters.remove(waiter)
        guard let entry = flights[flight], entry.waiters.isEmpty, !entry.goesOnAlone else { return Effects() }
        return giveUp(flight)
    }

    /// A flight is over.
    ///
    /// - Returns: Who gets what it brought.
    mutating func land(_ flight: FlightID) -> ([WaiterID], Effects) {
        guard let entry = flights[flight] else { return ([], Effects()) }
        let aboard = entry.waiters.sorted()
        for waiter in aboard { waiters[waiter] = nil }
        return (aboard, remove(flight))
    }

    /// Lets nobody join the flights that are meant. Those aboard still get what they bring.
    mutating func detach(where isMeant: (Plan) -> Bool) {
        joinable = joinable.filter { _, flight in flights[flight].map { !isMeant($0.plan) } ?? false }
    }

    /// Gives up the flights that are meant, whoever waits for them.
    mutating func cancel(where isMeant: (Plan) -> Bool) -> Effects {
        var effects = Effects()
        // The last first, so that none of a lane gets its turn on the way.
        for flight in flights.filter({ isMeant($0.value.plan) }).keys.sorted(by: >) {
            let aboard = flights[flight]?.waiters.sorted() ?? []
            for waiter in aboard { waiters[waiter] = nil }
            flights[flight]?.waiters = []
            effects.release += aboard
            effects.add(giveUp(flight))
        }
        return effects
    }

    // MARK: What there is

    var joinableFlights: [FlightID] { joinable.values.sorted() }

    func waiterCount(of key: Flights.Key) -> Int? {
        joinable[key].flatMap { flights[$0] }?.waiters.count
    }

    func isUnderWay(_ key: Flights.Key) -> Bool { joinable[key] != nil }

    /// Whether one of those that are meant may be joined.
    func isUnderWay(where isMeant: (Flights.Key) -> Bool) -> Bool { joinable.keys.contains(where: isMeant) }

    var waiterCount: Int { waiters.count }

    /// How many flights there are, given up or not.
    var count: Int { flights.count }

    /// How many requests of an origin are under way.
    func flyingCount(of origin: String?) -> Int { flying[origin] ?? 0 }

    private func budget(of origin: String?) -> Int { origin == nil ? sharedBudget : budget }

    // MARK: Deciding

    private mutating func newID() -> Int {
        nextID += 1
        return nextID
    }

    private mutating func add(_ plan: Plan) -> FlightID {
        let flight = newID()
        flights[flight] = Entry(plan: plan)
        joinable[plan.key] = flight
        if let lane = plan.lane { lanes[lane, default: []].append(flight) }
        waiting[plan.origin, default: []].append(flight)
        return flight
    }

    /// What a flight has to wait for: those before it in its lane, and what its own closure waits for.
    private func waited(by flight: FlightID) -> [FlightID] {
        let before = flights[flight]?.plan.lane.flatMap { lanes[$0] }.map { $0.prefix { $0 != flight } } ?? []
        return before + waiters.values.filter { $0.origin == flight }.map(\.flight)
    }

    private func waits(_ flight: FlightID, for other: FlightID) -> Bool {
        reach(flight).contains(other)
    }

    private func reach(_ flight: FlightID) -> Set<FlightID> {
        var seen: Set<FlightID> = [flight]
        var open = [flight]
        while let next = open.popLast() {
            for flight in waited(by: next) where seen.insert(flight).inserted { open.append(flight) }
        }
        return seen
    }

    private mutating func hurry(_ flight: FlightID) {
        for flight in reach(flight) { flights[flight]?.isUrgent = true }
    }

    /// Starts what may start on the budget of an origin, and on those of what `flight` has to wait for.
    private mutating func start(_ origin: String?, besides flight: FlightID? = nil) -> Effects {
        var effects = Effects()
        var origins: [String?] = [origin]
        if let flight {
            if flights[flight]?.isUrgent == true {
                origins +=
                    Set(reach(flight).compactMap { flights[$0]?.plan.origin }).sorted().filter { $0 != origin } + [nil]
            } else if flyingCount(of: origin) >= budget(of: origin) {
                return effects
            }
        }
        for origin in origins {
            for flight in waiting[origin] ?? [] {
                guard let entry = flights[flight] else { continue }
                let isFirst = entry.plan.lane.map { lanes[$0]?.first == flight } ?? true
                let isInBudget = entry.isUrgent || flyingCount(of: origin) < budget(of: origin)
                guard isFirst, isInBudget else { continue }
                flights[flight]?.phase = .flying
                flying[origin, default: 0] += 1
                waiting[origin]?.removeAll { $0 == flight }
                effects.start.append(flight)
            }
        }
        return effects
    }

    private mutating func giveUp(_ flight: FlightID) -> Effects {
        guard let entry = flights[flight] else { return Effects() }
        if joinable[entry.plan.key] == flight { joinable[entry.plan.key] = nil }
        switch entry.phase {
        case .waiting:
            var effects = remove(flight)
            effects.drop.append(flight)
            return effects
        case .flying:
            flights[flight]?.phase = .abandoned
            return Effects(cancel: [flight])
        case .abandoned:
            return Effects()
        }
    }

    private mutating func remove(_ flight: FlightID) -> Effects {
        guard let entry = flights.removeValue(forKey: flight) else { return Effects() }
        let origin = entry.plan.origin
        if joinable[entry.plan.key] == flight { joinable[entry.plan.key] = nil }
        if entry.phase == .waiting {
            waiting[origin]?.removeAll { $0 == flight }
        } else {
            flying[origin].map { flying[origin] = $0 > 1 ? $0 - 1 : nil }
        }
        if waiting[origin]?.isEmpty == true { waiting[origin] = nil }
        var next: String??
        if let lane = entry.plan.lane {
            lanes[lane]?.removeAll { $0 == flight }
            next = lanes[lane]?.first.flatMap { flights[$0] }.map(\.plan.origin)
            if lanes[lane]?.isEmpty == true { lanes[lane] = nil }
        }
        var effects = start(origin)
        if let next, next != origin { effects.add(start(next)) }
        return effects
    }
}

extension FlightMachine.Effects {
    mutating func add(_ other: FlightMachine.Effects) {
        start += other.start
        cancel += other.cancel
        drop += other.drop
        release += other.release
    }
}
