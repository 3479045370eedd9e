import LarderTestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GateTests {
    @Test func `a closed gate holds everyone until it opens`() async throws {
        let gate = Gate()
        try await withThrowingTaskGroup { group in
            for _ in 0..<5 { group.addTask { try await gate.wait() } }
            await gate.reached(times: 5)
            #expect(gate.waitingCount == 5)
            #expect(!gate.isOpen)
            gate.open()
            try await group.waitForAll()
        }
        #expect(gate.waitingCount == 0)
    }

    @Test func `an open gate lets pass at once, even a cancelled task`() async throws {
        let gate = Gate()
        gate.open()
        try await gate.wait()
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await gate.wait()
        }
        try await cancelled.value
    }

    @Test func `reached tells of whoever waits`() async throws {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        await gate.reached()
        #expect(gate.waitingCount == 1)
        gate.open()
        try await task.value
    }

    @Test func `reached still tells of those who have passed`() async throws {
        let gate = Gate()
        gate.open()
        try await gate.wait()
        await gate.reached()
    }

    @Test func `reached waits for the asked number of arrivals`() async throws {
        let gate = Gate()
        gate.open()
        let both = Task { await gate.reached(times: 2) }
        try await gate.wait()
        try await gate.wait()
        await both.value
    }

    @Test func `a cancelled task leaves the gate with CancellationError`() async {
        let gate = Gate()
        let task = Task { try await gate.wait() }
        await gate.reached()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(gate.waitingCount == 0)
    }

    @Test func `a cancelled wait for arrivals returns`() async {
        let gate = Gate()
        let watcher = Task { await gate.reached() }
        watcher.cancel()
        await watcher.value
    }
}
