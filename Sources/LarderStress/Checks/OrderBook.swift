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
    /// Values that the app stored, and when that was done: until then their second moment is not known. And those that the
    /// server called unchanged, with when it was asked last.
    private var uppers: [Int: Int] = [:]
    private var lastWrite = 0

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
        (uppers[value.serial] ?? value.serial) >= moment
    }

    /// A value was shown that is stored. One that the app is just storing claims nothing until that is done: an answer that
    /// came right before it may still be joined.
    mutating func noteKept(_ value: Owned, on footing: Footing?) {
        guard let footing, footing.era == era, uppers[value.serial] != .max else { return }
        floor = max(floor, value.asked)
    }

    /// The app has changed the value, and is about to say so.
    mutating func beginStoring(_ value: Owned) {
        uppers[value.serial] = .max
        lastWrite = max(lastWrite, value.serial)
    }

    /// The server is asked whether a value is still right.
    ///
    /// - Parameter tick: When its closure began.
    /// - Returns: Whether it may be: not when the app has changed it since.
    mutating func renew(_ serial: Int, at tick: Int) -> Bool {
        guard lastWrite < serial else { return false }
        uppers[serial] = max(uppers[serial] ?? serial, tick)
        return true
    }

    mutating func endStoring(_ value: Owned, at tick: Int, on footing: Footing?) {
        uppers[value.serial] = tick
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
