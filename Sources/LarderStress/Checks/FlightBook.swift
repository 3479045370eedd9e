/// Which fetch closures of one place run now, and whether they may do so at the same time.
///
/// One at a time is the bound. Two may run together where the flight of one was given up, since its closure goes on by
/// itself, or where nobody may join it any more since something was stored or removed meanwhile. A flight is given up when
/// a reader leaves, which becomes known to the closure a little later than to those who ask next; so two that overlap are
/// judged when one of them ends.
struct FlightBook {
    /// A closure that runs.
    private struct Closure {
        /// Not after the moment at which its flight was made.
        let asked: Int
        var isGivenUp = false
        /// The earliest flights that it ran beside without an excuse so far, by serial.
        var company: [Int: Int] = [:]
    }

    private var running: [Int: Closure] = [:]
    private var lastLeaving = 0
    private var lastDetaching = 0
    private var detachings = 0

    /// - Parameter isGivenUp: Whether its task was cancelled before it began.
    /// - Returns: How many others run that are not known to be given up.
    mutating func begin(_ serial: Int, asked: Int, isGivenUp: Bool) -> Int {
        var closure = Closure(asked: asked, isGivenUp: isGivenUp)
        for (other, earlier) in running where !isGivenUp && !earlier.isGivenUp {
            // Something was stored or removed since the first of the two flights was made.
            let first = min(asked, earlier.asked)
            guard detachings == 0, lastDetaching < first else { continue }
            closure.company[other] = first
            running[other]?.company[serial] = first
        }
        defer { running[serial] = closure }
        return running.values.count { !$0.isGivenUp }
    }

    /// The closure's task was cancelled.
    mutating func giveUp(_ serial: Int) {
        running[serial]?.isGivenUp = true
        for other in running.keys { running[other]?.company[serial] = nil }
    }

    /// - Returns: Whether it ran as it may.
    mutating func end(_ serial: Int) -> Bool {
        guard let closure = running.removeValue(forKey: serial) else { return true }
        for other in running.keys { running[other]?.company[serial] = nil }
        return closure.isGivenUp || closure.company.values.allSatisfy { $0 <= lastLeaving }
    }

    /// A reader is about to leave, whose flight may be given up.
    mutating func noteLeaving(at tick: Int) { lastLeaving = max(lastLeaving, tick) }

    /// Something is about to be stored or removed.
    mutating func beginDetaching() { detachings += 1 }

    mutating func endDetaching(at tick: Int) {
        detachings -= 1
        lastDetaching = max(lastDetaching, tick)
    }
}
