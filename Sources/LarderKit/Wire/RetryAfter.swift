package import Foundation

/// How long a server asks to be left alone, from the `Retry-After` field (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// The time from `now` on, never negative and, given in seconds, 2^31 s at most; `nil` when `value` is neither a
    /// number of seconds nor a date.
    package static func parse(_ value: String, now: Date) -> Duration? {
        if let seconds = DeltaSeconds.parse(utf8: value.utf8.trimmingBlanks()) { return .seconds(seconds) }
        guard let date = HTTPDate.parse(value, now: now) else { return nil }
        return .seconds(max(0, min(date.timeIntervalSince(now), Double(DeltaSeconds.limit))))
    }
}
