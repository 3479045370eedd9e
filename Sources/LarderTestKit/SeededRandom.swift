public import LarderKit
import Synchronization

/// Chance that is the same each time: the numbers that follow from a seed, to whoever asks first.
public final class SeededRandom: RandomSource {
    private let generator: Mutex<SplitMix64>

    public init(seed: UInt64 = 1) {
        generator = Mutex(SplitMix64(seed: seed))
    }

    public func next() -> UInt64 {
        generator.withLock { $0.next() }
    }
}
