/// Who is told what happens in a larder.
///
/// Called from any thread, in the middle of things: it must not block, and may call Larder. Two events of different
/// threads may come in either order.
public protocol LarderLog: Sendable {
    func note(_ event: LarderEvent)
}

/// No log: the default.
public struct NoLog: LarderLog {
    public init() {}

    public func note(_ event: LarderEvent) {}
}

/// A log that hands each event to a closure.
///
/// ```swift
/// let log = ClosureLog { event in print(event) }
/// ```
public struct ClosureLog: LarderLog {
    private let body: @Sendable (LarderEvent) -> Void

    public init(_ body: @escaping @Sendable (LarderEvent) -> Void) {
        self.body = body
    }

    public func note(_ event: LarderEvent) { body(event) }
}
