import Synchronization

/// How far long work has come, on one line of a terminal that is written anew with each step. Elsewhere it writes nothing.
///
/// State: the line that is shown, under its lock.
final class ProgressLine: Sendable {
    private let terminal: Terminal
    private let shown = Mutex<String?>(nil)

    init(_ terminal: Terminal = .error) {
        self.terminal = terminal
    }

    /// Whether anybody sees it: else a text need not be made.
    var isShown: Bool { terminal.isTerminal }

    func show(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        let line = Printable.cut(text(), to: terminal.width - 1)
        shown.withLock { shown in
            // Work that tells of itself often is not slowed down by a terminal.
            guard shown != line else { return }
            shown = line
            try? StandardStream.error.write("\r" + line + "\u{1B}[K")
        }
    }

    /// Writes something else on the same terminal, above the line.
    func above(_ write: () -> Void) {
        shown.withLock { shown in
            guard let shown else { return write() }
            try? StandardStream.error.write("\r\u{1B}[K")
            write()
            try? StandardStream.error.write(shown)
        }
    }

    /// Makes room for what is written next.
    func clear() {
        let wasShown = shown.withLock { shown in
            defer { shown = nil }
            return shown != nil
        }
        if wasShown { try? StandardStream.error.write("\r\u{1B}[K") }
    }

    /// Shows a share of one behind what is being done: `verifying, 42 %`.
    func share(_ work: String) -> @Sendable (Double) -> Void {
        { [self] share in show("\(work), \(Int((min(max(share, 0), 1) * 100).rounded(.down))) %") }
    }
}
