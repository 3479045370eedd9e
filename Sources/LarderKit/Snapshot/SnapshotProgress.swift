/// Tells how far a long work has come, a hundred times at most.
struct SnapshotProgress {
    private let total: Int
    private let tell: (@Sendable (Double) -> Void)?
    private var done = 0
    private var told = -1

    init(total: Int, tell: (@Sendable (Double) -> Void)?) {
        self.total = max(1, total)
        self.tell = tell
    }

    mutating func step(_ count: Int = 1) {
        done += count
        let percent = min(99, done * 100 / total)
        guard let tell, percent > told else { return }
        told = percent
        tell(Double(percent) / 100)
    }
}
