import Testing

@testable import LarderSQLite

/// When the log is seen to.
struct LogKeepingTests {
    private typealias Step = LogKeeping.Step
    private let wait = LogLimit().patience
    private let keeping: Keeper

    /// Expectations do not change values.
    private final class Keeper {
        private var keeping: LogKeeping

        init(_ configuration: Configuration) { keeping = LogKeeping(configuration) }

        var isFull: Bool { keeping.isFull }
        func committed(_ size: Int) -> Step { keeping.committed(size) }
        func failed(_ step: Step) -> Bool { keeping.failed(step) }
        func wasMoved() { keeping.wasMoved() }
        func wasEmptied() { keeping.wasEmptied() }
    }

    init() {
        var configuration = Configuration()
        configuration.pageSize = 1000
        configuration.checkpointThreshold = 4
        configuration.logLimit.soft = 8000
        configuration.logLimit.hard = 32_000
        keeping = Keeper(configuration)
    }

    @Test func `it is moved when it is long, and not at each commit after that`() {
        #expect(keeping.committed(3999) == .none)
        #expect(keeping.committed(4000) == .move)
        #expect(keeping.failed(.move) == false)
        #expect(keeping.committed(4500) == .none)
        #expect(keeping.committed(5000) == .move)
        keeping.wasMoved()
        #expect(keeping.committed(5500) == .none)
        // Begun anew.
        #expect(keeping.committed(1000) == .none)
        #expect(keeping.committed(4000) == .move)
    }

    @Test
    func `readers are waited for when it is too long, each time it has grown by an eighth, and for longer in the end`()
    {
        var (waits, longWaits): ([Int], [Int]) = ([], [])
        var warnings: [Int] = []
        for size in stride(from: 1000, through: 40_000, by: 100) {
            let step = keeping.committed(size)
            if step == .empty(patience: wait) { waits.append(size) }
            if step == .empty(patience: LogLimit().lastPatience) { longWaits.append(size) }
            if step != .none, keeping.failed(step) { warnings.append(size) }
        }
        #expect(waits == [8000, 9000])
        #expect(longWaits == Array(stride(from: 10_000, through: 40_000, by: 1000)))
        #expect(warnings == [8000, 16_000, 32_000])
        #expect(keeping.isFull)
    }

    @Test func `in between it is tried without waiting, so that it is empty soon after the reader has ended`() {
        #expect(keeping.committed(8000) == .empty(patience: wait))
        _ = keeping.failed(.empty(patience: wait))
        #expect(keeping.committed(8100) == .none)
        #expect(keeping.committed(8200) == .empty(patience: .zero))
        keeping.wasEmptied()
        #expect(!keeping.isFull && keeping.committed(100) == .none)
        #expect(keeping.committed(8000) == .empty(patience: wait))
        #expect(keeping.failed(.empty(patience: wait)))
    }
}
