import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5)))
struct ProbeClaimTests {
    @Test func `a read that joins a request keeps nobody from finding out whether the host is back`() async throws {
        let world = TestWorld()
        let larder = Larder.inMemory(environment: world.environment)
        let gate = Gate()
        let down = FetchFailure.http(status: 500)
        let origin = ScriptedFetch<Void, Int>(
            .answer(1), .fail(down), .fail(down), .fail(down), .hold(at: gate, then: .fail(down)), .answer(2))
        let resource = larder.common.resource("k") { try await origin() }
        _ = try await resource.read()
        for _ in 0..<OriginCircuit.failuresThatOpen { _ = try? await resource.read(.networkOnly) }
        await world.advance(by: OriginCircuit.firstStep)
        let insisting = Task { try await resource.read(.networkOnly) }
        await gate.reached()
        let joining = Task { try await resource.read() }
        while larder.waitingReaders < 2 { await Task.yield() }
        gate.open()
        await expect(.fetch(.server(status: 500))) { try await insisting.value }
        #expect(try await joining.value.reason == .networkFailed)
        await world.advance(by: OriginCircuit.firstStep)
        #expect(try await resource.read().value == 2)
    }
}
