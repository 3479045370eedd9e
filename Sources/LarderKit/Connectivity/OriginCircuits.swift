/// The circuits of all origins that gave reason for one. An origin that answers takes no room.
struct OriginCircuits: Sendable, Hashable {
    static let limit = 256

    private struct Entry: Hashable {
        var circuit: OriginCircuit
        var usedAt: Duration
    }

    private var entries: [String: Entry] = [:]
    private var probes: UInt64 = 0

    /// How many origins are remembered.
    var count: Int { entries.count }

    /// When ``advance(to:)`` has something to do.
    var nextEvent: Duration? { entries.values.compactMap(\.circuit.nextEvent).min() }

    func standing(of origin: String, at now: Duration) -> OriginStanding {
        entries[origin]?.circuit.standing(at: now) ?? .open
    }

    mutating func claimProbe(of origin: String, at now: Duration) -> Probe? {
        let probe = Probe(number: probes + 1)
        guard entries[origin]?.circuit.claim(probe, at: now) == true else { return nil }
        entries[origin]?.usedAt = now
        probes = probe.number
        return probe
    }

    /// - Returns: Whether the probe was out.
    mutating func giveBack(_ probe: Probe, of origin: String) -> Bool {
        entries[origin]?.circuit.giveBack(probe) ?? false
    }

    /// - Returns: The origins that requests are worth making to from now on, and were not before.
    mutating func advance(to now: Duration) -> [String] {
        guard let next = nextEvent, next <= now else { return [] }
        return changed { $0.advance(to: now) }
    }

    /// - Returns: The origins that are due for a probe now, and were not before.
    mutating func reopenHalf() -> [String] {
        changed { $0.reopenHalf() }
    }

    /// To be called when ``advance(to:)`` was.
    ///
    /// - Returns: Whether requests to the origin are worth making from now on that were not before.
    mutating func note(
        _ outcome: RequestOutcome, of origin: String, probe: Probe?, at now: Duration, random: any RandomSource
    ) -> Bool {
        var entry: Entry
        if let known = entries[origin] {
            entry = known
        } else if let failure = outcome.failure {
            entry = Entry(circuit: OriginCircuit(failure), usedAt: now)
            makeRoom()
        } else {
            return false
        }
        let isWorthwhile = entry.circuit.note(outcome, probe: probe, at: now, random: random)
        entry.usedAt = now
        entries[origin] = entry.circuit.isIdle ? nil : entry
        return isWorthwhile
    }

    private mutating func changed(_ change: (inout OriginCircuit) -> Bool) -> [String] {
        var changed: [String] = []
        for origin in entries.keys {
            guard var circuit = entries[origin]?.circuit, change(&circuit) else { continue }
            changed.append(origin)
            entries[origin]?.circuit = circuit
            if circuit.isIdle { entries[origin] = nil }
        }
        return changed.sorted()
    }

    /// Forgets the origin that was longest not heard of: one that is not held back, if there is one.
    private mutating func makeRoom() {
        guard entries.count >= Self.limit else { return }
        let closed = entries.filter(\.value.circuit.isClosed)
        let oldest = (closed.isEmpty ? entries : closed).min { ($0.value.usedAt, $0.key) < ($1.value.usedAt, $1.key) }
        if let oldest { entries[oldest.key] = nil }
    }
}

extension RequestOutcome {
    fileprivate var failure: FetchFailure? {
        switch self {
        case .answered, .givenUp: nil
        case .unreachable(let failure), .intercepted(let failure), .ill(let failure), .throttled(let failure, _):
            failure
        }
    }
}
