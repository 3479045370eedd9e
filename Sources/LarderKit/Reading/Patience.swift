/// How long a read waits for the network when something is stored that can be shown instead.
///
/// It is the whole answer that is waited for, not its first byte. One that comes later is stored all the same.
public struct Patience: Sendable, Hashable {
    private enum Kind: Hashable {
        case fixed(Duration)
        case learned(atMost: Duration)
    }

    private let kind: Kind

    /// Three seconds.
    public static let standard = fixed(.seconds(3))

    /// Always the same time; a negative one counts as zero.
    public static func fixed(_ duration: Duration) -> Patience {
        Patience(kind: .fixed(duration.asWait))
    }

    /// As long as answers of the same origin usually take, and three seconds at most.
    public static let learned = learned(atMost: .seconds(3))

    /// Twice what nine in ten of the origin's recent answers took, no less than a quarter of a second and no more than
    /// `longest`. Until a few answers have come, the standard.
    public static func learned(atMost longest: Duration) -> Patience {
        Patience(kind: .learned(atMost: longest.asWait))
    }
}

extension Patience {
    /// How many answers must have come for anything to be learned from them.
    static let leastSamples = 5
    /// What is waited for at least, however fast an origin is.
    static let least = Duration.milliseconds(250)

    /// Whether it depends on what the origin took before.
    var isLearned: Bool {
        if case .learned = kind { true } else { false }
    }

    /// The time to wait, given what recent answers took.
    func duration(latencies: [Duration]) -> Duration {
        switch kind {
        case .fixed(let duration):
            return duration
        case .learned(let longest):
            guard latencies.count >= Self.leastSamples else { return min(.seconds(3), longest) }
            let high = latencies.sorted()[(latencies.count * 9 + 9) / 10 - 1]
            guard high < longest / 2 else { return longest }
            return min(max(high * 2, Self.least), longest)
        }
    }
}
