/// One of the two sides of a figure: something that is done again and again.
struct Side {
    /// Makes ready what the next `count` runs need; not timed.
    var prepare: (_ count: Int) throws -> Void = { _ in }
    /// Does it once; the number counts from zero after each ``prepare``.
    let run: nonisolated(nonsending) (_ number: Int) async throws -> Void
}

/// How long each run took, in nanoseconds, round by round.
struct Timings: Sendable {
    var rounds: [[Double]] = []

    /// The middle of the rounds' own middles.
    var p50: Double { rounds.map { $0.quantile(0.5) }.quantile(0.5) }
    /// Of all runs together: a round is too short to have one.
    var p99: Double { rounds.flatMap(\.self).quantile(0.99) }
    var mean: Double { rounds.flatMap(\.self).reduce(0, +) / Double(max(1, rounds.map(\.count).reduce(0, +))) }
}

/// Both sides of a figure, measured in turns.
struct Comparison: Sendable {
    var ours = Timings()
    var raw = Timings()

    /// The middle of the rounds' ratios. A machine that is slow for a while is so for both sides of a round.
    var ratio: Double {
        zip(ours.rounds, raw.rounds).map { $0.quantile(0.5) / $1.quantile(0.5) }.quantile(0.5)
    }

    /// Of one part, where each run does something this many times.
    func divided(by count: Double) -> Comparison {
        func part(_ timings: Timings) -> Timings { Timings(rounds: timings.rounds.map { $0.map { $0 / count } }) }
        return Comparison(ours: part(ours), raw: part(raw))
    }
}

extension [Double] {
    /// The value below which the part `part` of all values lies; zero of none.
    func quantile(_ part: Double) -> Double {
        guard !isEmpty else { return 0 }
        return sorted()[Int((Double(count - 1) * part).rounded())]
    }
}
