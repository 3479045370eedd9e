import Synchronization

/// Where a loop says how far it is, and hears that it is to end.
final class LoopConsole: Sendable {
    private let complain: @Sendable (String) -> Void
    private let showsProgress: Bool
    private let stopped = Atomic(false)
    let children = Children()

    init(showsProgress: Bool = false, complain: @escaping @Sendable (String) -> Void = { _ in }) {
        self.complain = complain
        self.showsProgress = showsProgress
    }

    /// Whether somebody wants the loop to end before its time.
    var isStopped: Bool { stopped.load(ordering: .relaxed) }

    /// Ends the loop, and the processes it has started.
    func stop() {
        stopped.store(true, ordering: .relaxed)
        children.killAll()
    }

    /// How far it is, in a line that replaces the one before.
    func progress(_ text: @autoclosure () -> String) {
        if showsProgress { complain("\r\u{1B}[K\(text())") }
    }

    func endProgress() { if showsProgress { complain("\n") } }
}
