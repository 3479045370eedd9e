import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5)))
struct FlightsTests {
    private let flights = Flights()
    private let clock = ManualClock()

    private func key(_ key: String) -> Flights.Key {
        Flights.Key(place: StoreKey(key: key), kind: "test", request: nil, type: ObjectIdentifier(Int.self))
    }

    private func plan(_ key: String) -> FlightMachine.Plan { FlightMachine.Plan(key: self.key(key)) }

    /// Counts what happens to an operation that waits at a gate.
    private final class Operation: Sendable {
        let gate = Gate()
        let cancelled = Gate()
        private let count = Mutex(0)

        var starts: Int { count.withLock { $0 } }

        @Sendable func run() async -> Int {
            let number = count.withLock { count in
                count += 1
                return count
            }
            do { try await gate.wait() } catch { cancelled.open() }
            return number
        }
    }

    private func read(
        _ operation: Operation, at key: String = "k", patience: Duration? = nil
    ) -> Task<Flights.Outcome<Int>, any Error> {
        Task { [flights, clock] in
            try await flights.value(for: self.plan(key), patience: patience, clock: clock, operation: operation.run)
        }
    }

    /// Returns when `count` waiters are aboard.
    private func waiters(_ count: Int, _ key: String = "k") async {
        while flights.waiterCount(of: self.key(key)) != count, !Task.isCancelled { await Task.yield() }
    }

    @Test func `ten readers make one request, and each gets its value`() async throws {
        let operation = Operation()
        let readers = (0..<10).map { _ in read(operation) }
        await waiters(10)
        operation.gate.open()
        for reader in readers { #expect(try await reader.value == .landed(1)) }
        #expect(operation.starts == 1)
    }

    @Test func `different keys fly apart`() async throws {
        let first = Operation()
        let second = Operation()
        let readers = [read(first, at: "a"), read(second, at: "b")]
        await first.gate.reached()
        await second.gate.reached()
        first.gate.open()
        #expect(try await readers[0].value == .landed(1))
        #expect(flights.waiterCount(of: key("b")) == 1)
        second.gate.open()
        #expect(try await readers[1].value == .landed(1))
    }

    @Test func `who comes while it flies joins, and who comes after it asks anew`() async throws {
        let operation = Operation()
        let first = read(operation)
        await operation.gate.reached()
        let late = read(operation)
        await waiters(2)
        operation.gate.open()
        #expect(try await first.value == .landed(1))
        #expect(try await late.value == .landed(1))
        #expect(try await read(operation).value == .landed(2))
    }

    @Test func `a cancelled waiter leaves at once, and the others still get the value`() async throws {
        let operation = Operation()
        let leaving = read(operation)
        let staying = read(operation)
        await waiters(2)
        leaving.cancel()
        await #expect(throws: Flights.Trouble.cancelled) { try await leaving.value }
        #expect(!operation.cancelled.isOpen)
        operation.gate.open()
        #expect(try await staying.value == .landed(1))
        #expect(operation.starts == 1)
    }

    @Test func `the flight ends when its last waiter leaves, and the next one starts another`() async throws {
        let operation = Operation()
        let readers = [read(operation), read(operation)]
        await waiters(2)
        await operation.gate.reached()
        for reader in readers { reader.cancel() }
        for reader in readers { await #expect(throws: Flights.Trouble.cancelled) { try await reader.value } }
        try await operation.cancelled.wait()
        let next = read(operation)
        await operation.gate.reached(times: 2)
        operation.gate.open()
        #expect(try await next.value == .landed(2))
    }

    @Test func `a reader that is cancelled before it begins does not keep a flight`() async throws {
        let operation = Operation()
        let reader = Task { [flights, clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await flights.value(for: plan("k"), patience: nil, clock: clock, operation: operation.run)
        }
        await #expect(throws: Flights.Trouble.cancelled) { try await reader.value }
        try await operation.cancelled.wait()
        #expect(flights.waiterCount(of: key("k")) == nil)
    }

    @Test func `when patience runs out the flight goes on without a waiter`() async throws {
        let operation = Operation()
        let impatient = read(operation, patience: .seconds(3))
        await operation.gate.reached()
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .seconds(3))
        #expect(try await impatient.value == .late)
        #expect(!operation.cancelled.isOpen)

        // Whoever comes now joins it.
        let late = read(operation)
        await waiters(1)
        operation.gate.open()
        #expect(try await late.value == .landed(1))
    }

    @Test func `a flight that goes on is not ended by later waiters that leave`() async throws {
        let operation = Operation()
        #expect(try await read(operation, patience: .zero).value == .late)
        await operation.gate.reached()
        let visitor = read(operation)
        await waiters(1)
        visitor.cancel()
        await #expect(throws: Flights.Trouble.cancelled) { try await visitor.value }
        #expect(!operation.cancelled.isOpen)
        let second = read(operation)
        await waiters(1)
        operation.gate.open()
        #expect(try await second.value == .landed(1))
    }

    @Test func `a value that comes in time is given, and the clock is left alone`() async throws {
        let operation = Operation()
        let reader = read(operation, patience: .seconds(3))
        await operation.gate.reached()
        await clock.sleepers(atLeast: 1)
        operation.gate.open()
        #expect(try await reader.value == .landed(1))
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a patient reader that is cancelled ends the flight`() async throws {
        let operation = Operation()
        let reader = read(operation, patience: .seconds(3))
        await operation.gate.reached()
        await clock.sleepers(atLeast: 1)
        reader.cancel()
        await #expect(throws: Flights.Trouble.cancelled) { try await reader.value }
        try await operation.cancelled.wait()
    }

    @Test func `a flight started in the background is joined, and not started twice`() async throws {
        let operation = Operation()
        flights.start(plan("k"), operation: operation.run)
        flights.start(plan("k"), operation: operation.run)
        await operation.gate.reached()
        let reader = read(operation)
        await waiters(1)
        operation.gate.open()
        #expect(try await reader.value == .landed(1))
        #expect(operation.starts == 1)
    }

    @Test func `settling waits for those that wait for their turn too, and giving up on that gives up nothing else`()
        async throws
    {
        let flights = Flights(FlightMachine(sharedBudget: 1))
        let (first, second) = (Operation(), Operation())
        flights.start(plan("a"), operation: first.run)
        flights.start(plan("b"), operation: second.run)
        await first.gate.reached()
        let impatient = Task { await flights.settle() }
        impatient.cancel()
        await impatient.value
        let settled = LarderTestKit.Gate()
        let waiting = Task {
            await flights.settle()
            settled.open()
        }
        first.gate.open()
        await second.gate.reached()
        #expect(!settled.isOpen && !second.cancelled.isOpen)
        second.gate.open()
        await waiting.value
        #expect(settled.isOpen && flights.waiterCount == 0)
        await flights.settle()
    }

    @Test func `whoever comes, leaves and lands at once, nobody waits for ever and nobody gets another's value`()
        async throws
    {
        let values = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<2000 {
                group.addTask { [flights, clock] in
                    let name = number % 5
                    let reader = Task {
                        try await flights.value(
                            for: plan("\(name)"), patience: number.isMultiple(of: 7) ? .zero : nil, clock: clock
                        ) {
                            for _ in 0..<number % 4 { await Task.yield() }
                            return name
                        }
                    }
                    if number.isMultiple(of: 3) { reader.cancel() }
                    switch await reader.result {
                    case .success(.landed(let value)):
                        guard value == name else { throw Mismatch() }
                        return value
                    case .success(.late):
                        guard number.isMultiple(of: 7) else { throw Mismatch() }
                        return nil
                    case .failure(let error):
                        guard number.isMultiple(of: 3), error as? Flights.Trouble == .cancelled else {
                            throw Mismatch()
                        }
                        return nil
                    }
                }
            }
            return try await group.reduce(into: [Int]()) { values, value in value.map { values.append($0) } }
        }
        #expect(values.count >= 1000)
        // Flights that go on alone may still be about to land.
        for name in 0..<5 {
            while flights.waiterCount(of: key("\(name)")) != nil, !Task.isCancelled { await Task.yield() }
        }
    }

    private struct Mismatch: Error {}
}

extension Flights.Outcome: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.landed(let left), .landed(let right)): left == right
        case (.late, .late): true
        default: false
        }
    }
}
