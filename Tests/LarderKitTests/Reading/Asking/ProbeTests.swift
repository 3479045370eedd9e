import LarderTestKit
import Testing

@testable import LarderKit

/// The permission to find out whether a host is back comes back itself when nothing is asked with it.
@Suite(.timeLimit(.minutes(5))) struct ProbeTests {
    @Test func `a probe of a read that joins a request under way is there for the next`() async throws {
        let world = TestWorld()
        let larder = Larder.inMemory(environment: world.environment)
        let gate = Gate()
        let failure = FetchFailure.http(status: 503)
        let origin = ScriptedFetch<Void, Int>(
            .answer(1), .fail(failure), .fail(failure), .fail(failure), .gated(gate, 2))
        let resource = larder.common.resource("k", options: .init(origin: "host")) { try await origin() }
        _ = try await resource.read()
        for _ in 0..<OriginCircuit.failuresThatOpen { _ = try? await resource.read(.networkOnly) }
        await world.advance(by: OriginCircuit.longestStep)

        let insisting = Task { try await resource.read(.networkOnly) }
        await gate.reached()
        #expect(try await resource.read(.networkFirst(patience: .zero)).value == 1)
        #expect(larder.core.network.standing(of: "host") == .probeDue(failure: failure))
        var news = larder.core.network.reconnections().makeAsyncIterator()
        #expect(try await resource.read(.networkFirst(patience: .zero)).value == 1)
        #expect(await news.next() == .origin("host"))
        gate.open()
        #expect(try await insisting.value.value == 2)
        #expect(larder.core.network.standing(of: "host") == .open)
    }
}
