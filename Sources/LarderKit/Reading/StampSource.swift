import Foundation
import Synchronization

/// Stamps for answers: each is later than every one before it, whatever the wall clock does.
///
/// The order is wall time in microseconds where that moves forward, and one more than the last where it does not, so that
/// two processes on one cache agree on it nearly always, and one process always.
final class StampSource: Sendable {
    private let last = Mutex<Int64>(0)
    private let lastArrival = Mutex<Int64>(.min)

    /// The next stamp, later than `stored`, which is the latest one that the thing to be fetched has seen.
    func next(at now: Date, after stored: Int64 = 0) -> Stamp {
        let at = now.millisecondsSince1970
        let wall = now.microsecondsSince1970
        return last.withLock { last in
            last = max(last, stored, wall - 1)
            // Only a damaged row bears the greatest stamp there is.
            if last < .max { last += 1 }
            return Stamp(order: last, at: at, lifetime: nil)
        }
    }

    /// When an answer came, in milliseconds since 1970. No two came at the same time: that tells states of an item apart.
    func arrival(at now: Date) -> Int64 {
        lastArrival.withLock { last in
            if last < .max { last = max(now.millisecondsSince1970, last + 1) }
            return last
        }
    }
}

extension Date {
    /// Whole milliseconds since 1970, held within what a stamp can count.
    var millisecondsSince1970: Int64 { count(since1970: 1000) }

    /// Whole microseconds since 1970, held within the same bounds.
    fileprivate var microsecondsSince1970: Int64 { count(since1970: 1_000_000) }

    /// Parts of a second since 1970, held within what a stamp can count in microseconds.
    private func count(since1970 parts: Double) -> Int64 {
        let bound = 4e12 * parts
        let count = (timeIntervalSince1970 * parts).rounded()
        return Int64(max(-bound, min(bound, count.isNaN ? 0 : count)))
    }

    init(millisecondsSince1970 milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension Duration {
    /// Whole milliseconds, parts of one left out, held within half of what an `Int64` counts: two of them can be added.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let bound = Int64.max / 2
        guard seconds.magnitude < UInt64(bound / 1000) else { return seconds < 0 ? -bound : bound }
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }

    /// Between zero and a year: what is waited for can be added up, whatever an app asks for.
    var asWait: Duration { min(max(self, .zero), .seconds(365 * 86_400)) }
}
