import Foundation
import LarderTestKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ManualClockTests {
    /// What happened, in order, from many tasks.
    final class Diary: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func note(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test func `time stands still until it is moved`() async {
        let clock = ManualClock(wall: Date(timeIntervalSince1970: 1000))
        #expect(clock.now() == Date(timeIntervalSince1970: 1000))
        await clock.advance(by: .milliseconds(1500))
        #expect(clock.now() == Date(timeIntervalSince1970: 1001.5))
        #expect(clock.elapsed == .milliseconds(1500))
    }

    @Test(arguments: [Duration.zero, .seconds(-5)])
    func `time does not go back`(by duration: Duration) async {
        let clock = ManualClock()
        await clock.advance(by: duration)
        #expect(clock.now() == ManualClock.defaultStart)
        #expect(clock.elapsed == .zero)
    }

    @Test func `many small steps end exactly where one large step does`() async {
        let (small, large) = (ManualClock(), ManualClock())
        for _ in 0..<1000 { await small.advance(by: .milliseconds(100)) }
        await large.advance(by: .seconds(100))
        #expect(small.now() == large.now())
    }

    @Test func `a sleeper wakes when its time has passed and not before`() async throws {
        let clock = ManualClock()
        let diary = Diary()
        let sleeper = Task {
            try await clock.sleep(for: .seconds(10))
            diary.note("awake")
        }
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .milliseconds(9999))
        #expect(clock.sleeperCount == 1)
        #expect(diary.all.isEmpty)
        await clock.advance(by: .milliseconds(1))
        try await sleeper.value
        #expect(clock.sleeperCount == 0)
    }

    @Test func `sleepers wake in the order of their deadlines, each at its own time`() async throws {
        let clock = ManualClock()
        let diary = Diary()
        let naps = [3, 1, 2, 5, 4]
        try await withThrowingTaskGroup { group in
            for (index, nap) in naps.enumerated() {
                group.addTask {
                    try await clock.sleep(for: .seconds(nap))
                    diary.note("\(nap) at \(clock.elapsed.components.seconds)")
                }
                await clock.sleepers(atLeast: index + 1)
            }
            // Moved to each deadline and no further, so that what the tasks see is certain.
            for second in 1...5 {
                await clock.advance(by: .seconds(1))
                try await group.next()
                #expect(diary.all.count == second)
            }
        }
        #expect(diary.all == ["1 at 1", "2 at 2", "3 at 3", "4 at 4", "5 at 5"])
    }

    @Test func `one step past many deadlines wakes everyone`() async throws {
        let clock = ManualClock()
        try await withThrowingTaskGroup { group in
            for seconds in 1...20 {
                group.addTask { try await clock.sleep(for: .seconds(seconds)) }
            }
            await clock.sleepers(atLeast: 20)
            await clock.advance(by: .seconds(20))
            #expect(clock.sleeperCount == 0)
            try await group.waitForAll()
        }
    }

    @Test func `a task that falls asleep again after the step sleeps from the new time`() async throws {
        let clock = ManualClock()
        let loop = Task {
            for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) }
        }
        for _ in 0..<3 {
            await clock.sleepers(atLeast: 1)
            await clock.advance(by: .seconds(1))
        }
        try await loop.value
        #expect(clock.elapsed == .seconds(3))
    }

    @Test func `a changed wall clock wakes nobody and shifts no deadline`() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.sleepers(atLeast: 1)
        for jump in [86_400.0, -86_400.0] {
            clock.set(wall: ManualClock.defaultStart + jump)
            #expect(clock.now() == ManualClock.defaultStart + jump)
            #expect(clock.sleeperCount == 1)
        }
        await clock.advance(by: .seconds(10))
        try await sleeper.value
        #expect(clock.now() == ManualClock.defaultStart - 86_400 + 10)
    }

    @Test func `a changed wall clock goes on from where it was set`() async {
        let clock = ManualClock()
        await clock.advance(by: .seconds(5))
        clock.set(wall: Date(timeIntervalSince1970: 100))
        #expect(clock.now() == Date(timeIntervalSince1970: 100))
        await clock.advance(by: .seconds(7))
        #expect(clock.now() == Date(timeIntervalSince1970: 107))
        #expect(clock.elapsed == .seconds(12))
    }

    @Test func `a cancelled sleeper leaves at once with CancellationError`() async {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(for: .seconds(10)) }
        await clock.sleepers(atLeast: 1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test(arguments: [Duration.zero, .seconds(10)])
    func `a task that is already cancelled does not fall asleep`(for duration: Duration) async {
        let clock = ManualClock()
        let gate = Gate()
        let task = Task {
            await gate.reached(times: 2)
            try await clock.sleep(for: duration)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `cancelling one sleeper leaves the others asleep`() async throws {
        let clock = ManualClock()
        let first = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(atLeast: 1)
        let second = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(atLeast: 2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(clock.sleeperCount == 1)
        await clock.advance(by: .seconds(1))
        try await second.value
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a sleep of no length returns at once`(for duration: Duration) async throws {
        try await ManualClock().sleep(for: duration)
    }

    @Test func `a cancelled wait for sleepers returns`() async {
        let clock = ManualClock()
        let watcher = Task { await clock.sleepers(atLeast: 1) }
        watcher.cancel()
        await watcher.value
    }

    @Test func `sleeps and cancellations that race lose nobody`() async {
        let clock = ManualClock()
        for _ in 0..<200 {
            let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
            let cancel = Task { sleeper.cancel() }
            await clock.advance(by: .seconds(1))
            await cancel.value
            _ = await sleeper.result
            #expect(clock.sleeperCount == 0)
        }
    }
}
