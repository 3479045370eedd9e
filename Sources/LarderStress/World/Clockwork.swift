import LarderTestKit
import Synchronization

/// Counts the moments of a run, so that of two it can be told which came first.
///
/// Relaxed: what happens before something else has the smaller number, and the thread sanitizer sees no order that is
/// not the library's own.
final class Ticks: Sendable {
    private let last = Atomic(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// Chance for one task.
struct Dice {
    private var generator: SplitMix64

    init(seed: UInt64, stream: Int) {
        generator = SplitMix64(seed: seed &+ UInt64(bitPattern: Int64(stream)) &* 0x2545_F491_4F6C_DD1D)
    }

    init(_ number: UInt64) {
        generator = SplitMix64(seed: number)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &generator) }

    /// Whether something happens that does so with this chance, in percent.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .microseconds(Int.random(in: range.lowerBound * 1000...range.upperBound * 1000, using: &generator))
    }
}
