import CBaseline

/// Runs the two sides of a figure in turns and times them.
struct Meter {
    /// Runs one side of one figure a number of times and nothing else: what a profiler wants to see.
    struct Loop {
        enum Subject: String { case ours, raw }

        let figure: String
        let subject: Subject
        let count: Int
    }

    /// Thrown where the loop that was asked for has ended: there is nothing else to do.
    struct LoopEnded: Error {}

    let isQuick: Bool
    var loop: Loop?

    /// Rounds of `count` runs of each side, who goes first changing from round to round. Two rounds before them
    /// warm up and do not count, or one where a round is a single run.
    ///
    /// - Returns: `nil` when only a loop of another figure is wanted.
    nonisolated(nonsending) func compare(
        _ figure: String, rounds: Int = 15, runs count: Int = 200, ours: Side, raw: Side
    ) async throws -> Comparison? {
        if let loop {
            guard loop.figure == figure else { return nil }
            let side = loop.subject == .ours ? ours : raw
            var left = loop.count
            while left > 0 {
                let runs = min(left, count)
                try side.prepare(runs)
                for number in 0..<runs { try await side.run(number) }
                left -= runs
            }
            throw LoopEnded()
        }
        var result = Comparison()
        let warmUps = count > 1 ? 2 : 1
        for round in 0..<(isQuick ? max(3, rounds / 3) : rounds) + warmUps {
            let order: [WritableKeyPath<Comparison, Timings>] =
                round.isMultiple(of: 2) ? [\.ours, \.raw] : [\.raw, \.ours]
            for path in order {
                let times = try await time(path == \.ours ? ours : raw, count)
                if round >= warmUps { result[keyPath: path].rounds.append(times) }
            }
        }
        return result
    }

    nonisolated(nonsending) private func time(_ side: Side, _ count: Int) async throws -> [Double] {
        try side.prepare(count)
        var times: [Double] = []
        times.reserveCapacity(count)
        for number in 0..<count {
            let start = baseline_now()
            try await side.run(number)
            times.append(Double(baseline_now() - start))
        }
        return times
    }
}
