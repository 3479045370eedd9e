/// What a pantry may hold, as far as its work was told of.
struct PantryModel: Sendable {
    /// The versions that a place may hold; 0 is none.
    private(set) var allowed: [String: Set<Int>] = [:]
    /// How many items each server may have had.
    private(set) var totals: [PantryFeed: Int] = [:]
    /// The items that are stored for certain.
    private(set) var present: [PantryFeed: Set<Int>] = [:]
    /// The items that were said to be gone.
    private(set) var gone: Set<Int> = []
    /// Each version that was begun to be stored at a place, with when; 0 where one was removed.
    private(set) var history: [String: [(number: Int, version: Int)]] = [:]
    private(set) var last = 0
    /// What failed although nothing was wrong with the disk.
    private(set) var failures: [String] = []
    private var begun: [Int: PantryLine.Work] = [:]
    /// The lists of which parts were ever forgotten.
    private(set) var trimmed: Set<PantryFeed> = []

    /// - Parameter totals: How many items the servers have had already.
    init(totals: [PantryFeed: Int] = [:]) {
        self.totals = totals
        for place in PantryPlace.all { allowed["\(place)"] = [0] }
    }

    mutating func take(_ line: PantryLine) {
        switch line {
        case .begin(let number, let work):
            last = max(last, number)
            begun[number] = work
            begin(work, number)
        case .end(let number, let result):
            guard let work = begun.removeValue(forKey: number) else { return }
            if case .failed(let reason) = result { failures.append("\(work) failed: \(reason)") }
            end(work, number, result)
        }
    }

    private mutating func begin(_ work: PantryLine.Work, _ number: Int) {
        switch work {
        case .store(let place): admit(number, at: place, number)
        case .remove(let place): admit(0, at: place, number)
        case .signOut(let partition):
            for place in PantryPlace.all where place.partition == partition { admit(0, at: "\(place)", number) }
        case .grow(let feed, let total): totals[feed] = max(totals[feed] ?? 0, total)
        case .trim(let feed):
            present[feed] = []
            trimmed.insert(feed)
        case .removeItem(let id):
            gone.insert(id)
            for feed in PantryFeed.allCases { present[feed]?.remove(id) }
        case .load, .invalidate: break
        }
    }

    private mutating func admit(_ version: Int, at place: String, _ number: Int) {
        allowed[place, default: [0]].insert(version)
        history[place, default: []].append((number, version))
    }

    private mutating func end(_ work: PantryLine.Work, _ number: Int, _ result: PantryLine.Result) {
        switch (work, result) {
        case (.store(let place), .done): allowed[place] = [number]
        case (.remove(let place), .done): allowed[place] = [0]
        case (.signOut(let partition), .done):
            for place in PantryPlace.all where place.partition == partition { allowed["\(place)"] = [0] }
        case (.load(let feed), .inserted(let ids)):
            present[feed, default: []].formUnion(ids.filter { !gone.contains($0) })
        default: break
        }
    }

    /// The process has ended, and this was found: what it had begun and not done has happened or not.
    mutating func settle(_ state: PantryState) {
        begun = [:]
        failures = []
        for (place, found) in state.values {
            if case .version(let version) = found { allowed[place] = [version] }
        }
    }

    // MARK: Judging

    /// What is wrong with what was found.
    ///
    /// - Parameters:
    ///   - forgets: Whether it may be as it was at an earlier time: after a power loss that nothing was promised for.
    ///   - isTrimmed: Whether anything may have gone to keep a budget.
    func findings(in state: PantryState, forgets: Bool = false, isTrimmed: Bool = false) -> [String] {
        var findings = state.troubles + failures
        for (place, found) in state.values.sorted(by: { $0.key < $1.key }) {
            switch found {
            case .version(let version):
                let versions = forgets ? everStored(at: place) : allowed[place] ?? []
                guard !versions.contains(version), !(isTrimmed && version == 0) else { continue }
                findings.append("\(place) holds version \(version), and may hold \(versions.sorted().suffix(10))")
            case .unreadable(let reason):
                // A body that was not synced may be lost, and is not shown.
                if !forgets || !reason.isDamage { findings.append("\(place) cannot be read: \(reason.text)") }
            case .wrong(let reason):
                findings.append("\(place) shows what was never stored there: \(reason)")
            }
        }
        if forgets, !isOneMoment(state) { findings.append("the database is of no one moment: \(state.values)") }
        for (feed, found) in state.feeds {
            findings += self.findings(in: found, of: feed, forgets: forgets || isTrimmed, isTrimmed: isTrimmed)
        }
        return findings
    }

    /// A value of more bytes may lie in a file of its own.
    private static let largeSize = 60_000

    /// How many places hold nothing that were not left so.
    func missing(in state: PantryState) -> Int {
        state.values.count { place, found in found == .version(0) && allowed[place]?.contains(0) == false }
    }

    private func everStored(at place: String) -> Set<Int> { Set((history[place] ?? []).map(\.version) + [0]) }

    /// Whether there is a moment of which all values of the database are. Only where things were done one after the other.
    ///
    /// A large value whose body was not synced may be lost to a file of no bytes, which is "not stored".
    private func isOneMoment(_ state: PantryState) -> Bool {
        let found = PantryPlace.all.filter { !$0.isInFile }.compactMap { place -> (String, Int)? in
            guard case .version(let version) = state.values["\(place)"] else { return nil }
            return ("\(place)", version)
        }
        return (0...last).contains { moment in
            found.allSatisfy { place, version in
                let stored = history[place]?.last { $0.number <= moment }?.version ?? 0
                return stored == version || version == 0 && Sample.size(of: stored) > Self.largeSize
            }
        }
    }
}
