/// Where a larder takes chance from: to spread requests that would otherwise come together.
///
/// Injected, so that tests know what comes. Nothing secret depends on it.
public protocol RandomSource: Sendable {
    /// 64 bits, each as likely to be 0 as 1. Called from any thread.
    func next() -> UInt64
}

/// The system's own generator.
public struct SystemRandom: RandomSource {
    public init() {}

    public func next() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}

extension RandomSource {
    /// A duration between zero and `limit`, both included, each as likely as the other; zero for a limit below it.
    func duration(upTo limit: Duration) -> Duration {
        guard limit > .zero else { return .zero }
        // 53 bits are what a fraction holds without rounding.
        return limit * (Double(next() >> 11) / Double((UInt64(1) << 53) - 1))
    }
}
