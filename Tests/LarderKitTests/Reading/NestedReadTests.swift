import LarderTestKit
import Testing

@testable import LarderKit

/// A fetch closure that reads something else: what befalls that is no word about what the closure is to bring.
@Suite(.timeLimit(.minutes(5))) struct NestedReadTests {
    private let larder = Larder.inMemory(environment: TestWorld().environment)

    @Test func `what is gone of a part does not take the whole away`() async throws {
        let parts = ScriptedFetch<Void, Int>(.answer(1), .fail(.http(status: 404)))
        let part = larder.common.resource("part") { try await parts() }
        let whole = larder.common.resource("whole") { try await part.read(.networkOnly).value }
        #expect(try await whole.read().value == 1)
        let reading = try await whole.read()
        #expect(reading.value == 1 && reading.failure?.kind == .gone(status: 404))
        #expect(try whole.peek()?.value == 1 && part.peek() == nil)
    }

    @Test func `the host of the whole is not left alone for what befell that of a part`() async throws {
        let part = larder.common.resource("part", options: .init(origin: "b")) { () -> Int in
            throw FetchFailure.http(status: 503, retryAfter: .seconds(60))
        }
        let whole = larder.common.resource("whole", options: .init(origin: "a")) {
            try await part.read(.networkOnly).value
        }
        await #expect(throws: LarderError.self) { try await whole.read() }
        #expect(larder.core.network.standing(of: "a") == .open)
        #expect(larder.core.network.standing(of: "b") != .open)
    }
}
