/// What one place may still show: nothing that was asked for before something that was seen there already.
///
/// A value says when it was asked for by two moments, of which the first is not after, and the second not before, the stamp
/// of its request. Whoever begins to read sees nothing whose second moment is before the first one of a value that was
/// shown and kept, or stored by the app, or of a removal. While something is removed, nothing is claimed.
struct OrderBook {
    /// What a reader may rely on who begins now.
    struct Footing {
        fileprivate let floor: Int
        fileprivate let era: Int
    }

    private var floor = 0
    private var removals = 0
    /// Counts the beginnings and ends of removals.
    private var era = 0
    /// Values that the app stored, and when that was done: until then their second moment is not known.
    private var stored: [Int: Int] = [:]

    func footing() -> Footing? { removals == 0 ? Footing(floor: floor, era: era) : nil }

    /// Whether a value that was shown may be, to a reader who began on that footing.
    func allows(_ value: Owned, on footing: Footing?) -> Bool {
        guard let footing, footing.era == era else { return true }
        return isLate(value, after: footing.floor)
    }

    /// The same to one who has seen `earlier`, and nothing was removed since.
    func allows(_ value: Owned, after earlier: Owned, on footing: Footing?) -> Bool {
        guard let footing, footing.era == era else { return true }
        return isLate(value, after: earlier.asked)
    }

    private func isLate(_ value: Owned, after moment: Int) -> Bool {
        (stored[value.serial] ?? value.serial) >= moment
    }

    /// A value was shown that is stored.
    mutating func noteKept(_ value: Owned, on footing: Footing?) {
        guard let footing, footing.era == era else { return }
        floor = max(floor, value.asked)
    }

    mutating func beginStoring(_ value: Owned) { stored[value.serial] = .max }

    mutating func endStoring(_ value: Owned, at tick: Int, on footing: Footing?) {
        stored[value.serial] = tick
        noteKept(value, on: footing)
    }

    mutating func beginRemoving() {
        removals += 1
        era += 1
    }

    /// - Parameter asked: When the removal was called, if it succeeded.
    mutating func endRemoving(asked: Int?) {
        removals -= 1
        era += 1
        if let asked { floor = max(floor, asked) }
    }
}
