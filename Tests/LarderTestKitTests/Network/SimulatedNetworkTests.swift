import Foundation
import LarderKit
import LarderTestKit
import Synchronization
import Testing

/// Which condition a request meets, and when its answer comes.
@Suite(.timeLimit(.minutes(5)))
struct SimulatedNetworkTests {
    private let world = TestWorld()
    private let network: SimulatedNetwork

    init() {
        network = SimulatedNetwork(clock: world.clock)
    }

    /// The kind of the failure that a request meets now; `nil` for none.
    private func ask() async throws -> FetchFailure.Kind? {
        do {
            _ = try await network.answer { 1 }
            return nil
        } catch let failure as FetchFailure {
            return failure.kind
        }
    }

    @Test func `single requests come first, in order, and then what was set`() async throws {
        network.set(.status(500))
        network.next(.offline, .online)
        network.next(.status(403))
        #expect(try await ask() == .offline)
        #expect(try await ask() == nil)
        #expect(try await ask() == .forbidden)
        #expect(try await ask() == .server(status: 500))
        network.set(.online)
        #expect(try await ask() == nil)
        #expect(network.requestCount == 5)
        #expect(network.requests.map(\.condition) == [.offline, .online, .status(403), .status(500), .online])
    }

    @Test func `a script changes the network at its times`() async throws {
        await world.advance(by: .seconds(100))
        network.set(.status(500))
        network.script([
            (at: .seconds(20), .online), (at: .seconds(10), .offline), (at: .seconds(20), .status(403)),
        ])
        var met: [FetchFailure.Kind?] = []
        for _ in 0..<5 {
            met.append(try await ask())
            await world.advance(by: .seconds(5))
        }
        #expect(met == [.server(status: 500), .server(status: 500), .offline, .offline, .forbidden])
        #expect(network.requests.map(\.at) == [100, 105, 110, 115, 120].map { .seconds($0) })
        network.set(.online)
        #expect(network.condition == .online)
    }

    @Test func `a request keeps the condition it was sent under`() async throws {
        network.set(.slow(latency: .seconds(5)))
        let slow = Task { [network] in try await network.answer { 1 } }
        await network.requests(atLeast: 1)
        await world.clock.sleepers(atLeast: 1)
        network.set(.offline)
        await world.advance(by: .seconds(5))
        #expect(try await slow.value == 1)
    }

    @Test func `the server speaks when it is asked, and later is heard later`() async throws {
        let value = Mutex(1)
        network.set(.slow(latency: .seconds(5)))
        let spoken = Gate()
        let old = Task { [network] in
            try await network.answer { () -> Int in
                defer { spoken.open() }
                return 1
            }
        }
        try await spoken.wait()
        value.withLock { $0 = 2 }
        network.set(.online)
        #expect(try await network.answer { value.withLock { $0 } } == 2)
        await world.advance(by: .seconds(5))
        #expect(try await old.value == 1)
    }

    @Test func `answers come in the order of their times`() async throws {
        let network = network
        let order = await withTaskGroup(of: Int.self) { group in
            for (number, latency) in [3, 1, 2].enumerated() {
                network.next(.slow(latency: .seconds(latency)))
                group.addTask { (try? await network.answer { latency }) ?? 0 }
                await network.requests(atLeast: number + 1)
            }
            var order: [Int] = []
            for waiting in [3, 2, 1] {
                #expect(network.waitingCount == waiting)
                await world.advance(by: .seconds(1))
                if let latency = await group.next() { order.append(latency) }
            }
            return order
        }
        #expect(order == [1, 2, 3])
    }

    @Test(arguments: [NetworkCondition.silence, .slow(latency: .seconds(5))])
    func `a request ends with its task`(condition: NetworkCondition) async {
        network.set(condition)
        let task = Task { [network] in try await network.answer { 1 } }
        await network.requests(atLeast: 1)
        #expect(network.waitingCount == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(network.waitingCount == 0 && world.clock.sleeperCount == 0)
    }

    @Test func `what the server throws is thrown when it arrives`() async {
        struct Odd: Error {}
        network.set(.slow(latency: .seconds(1)))
        let task = Task { [network] in try await network.answer { () -> Int in throw Odd() } }
        await network.requests(atLeast: 1)
        await world.clock.sleepers(atLeast: 1)
        #expect(network.waitingCount == 1)
        await world.advance(by: .seconds(1))
        await #expect(throws: Odd.self) { try await task.value }
    }
}
