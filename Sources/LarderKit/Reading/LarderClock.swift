public import Foundation

/// The time a larder lives by: wall time for what is stored, time that only moves forward for what is waited for, and a
/// way to wait.
///
/// Injected, so that tests move it by hand. Wall time may jump in both directions; nothing in Larder takes the order of
/// events from it, and an age is never negative.
public protocol LarderClock: Sendable {
    /// The wall time now.
    func now() -> Date

    /// The time since some fixed moment, whatever the wall clock does: it never goes back.
    var elapsed: Duration { get }

    /// Returns after `duration`, or throws `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The machine's own clock.
public struct SystemClock: LarderClock {
    public init() {}

    public func now() -> Date { Date() }

    public var elapsed: Duration { Self.start.duration(to: .now) }

    private static let start = ContinuousClock.now

    public func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration)
    }
}
