/// Which of the things that may go do go: the least recently used first, until there is room enough, and whatever was not used
/// for too long.
///
/// It is given windows on what is stored: the beginning, in the order of use, of each kind of thing. So nobody has to read all
/// there is to find what goes first.
struct EvictionPlan: Sendable, Hashable {
    /// How many bytes are to go.
    var bytes: Int
    /// What was last used before this goes in any case. Milliseconds since 1970.
    var unusedSince = Int64.min
    /// At most so many go at once.
    var limit = Int.max

    /// Something that may go.
    struct Candidate<Subject> {
        let subject: Subject
        let bytes: Int
        /// Milliseconds since 1970.
        let usedAt: Int64
        var isPinned = false
        /// Whether ``usedAt`` tells of its use, and not only of its age: it goes for not being used.
        var tellsUse = true
    }

    /// The least recently used things of a kind, in the order of use.
    struct Window<Subject> {
        var candidates: [Candidate<Subject>]
        /// What is not in the window was used at this time or later.
        var horizon = Int64.max
    }

    /// What goes, in order. Never anything that was used later than something that stays and might have gone instead, as far as
    /// the windows show.
    func chosen<Subject>(from windows: [Window<Subject>]) -> [Candidate<Subject>] {
        let horizon = windows.map(\.horizon).min() ?? .max
        let sorted = windows.flatMap(\.candidates).enumerated()
            .filter { !$0.element.isPinned && $0.element.usedAt <= horizon }
            .sorted { ($0.element.usedAt, $0.offset) < ($1.element.usedAt, $1.offset) }
        var (chosen, left): ([Candidate<Subject>], Int) = ([], bytes)
        for (_, candidate) in sorted {
            guard chosen.count < limit else { break }
            guard left > 0 || candidate.tellsUse && candidate.usedAt < unusedSince else { continue }
            chosen.append(candidate)
            left -= candidate.bytes
        }
        return chosen
    }
}

extension EvictionPlan.Candidate: Sendable where Subject: Sendable {}
extension EvictionPlan.Window: Sendable where Subject: Sendable {}
