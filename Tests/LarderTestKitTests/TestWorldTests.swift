import Foundation
import LarderKit
import LarderTestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TestWorldTests {
    @Test func `the environment lives by the world's clock and network`() async throws {
        let world = TestWorld()
        let environment = world.environment
        #expect(environment.clock.now() == world.clock.now())
        let sleeper = Task { try await environment.clock.sleep(for: .seconds(61)) }
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: .seconds(61))
        try await sleeper.value
        #expect(environment.clock.now() == ManualClock.defaultStart.addingTimeInterval(61))

        world.connectivity.set(.offline)
        #expect(environment.connectivity.current == .offline)
    }
}
