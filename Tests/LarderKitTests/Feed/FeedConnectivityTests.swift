import LarderKit
import LarderTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeedConnectivityTests {
    @Test(arguments: [Connectivity.suspect, .offline])
    func `a hint that the network is gone is the reason for showing a stored page at once`(
        connectivity: Connectivity
    ) async throws {
        let world = TestWorld()
        let gate = Gate()
        let origin = ScriptedFetch<PageRequest, Page<String>>(.answer(Page(["1"])), .gated(gate, Page(["2", "1"])))
        let feed = Larder.inMemory(environment: world.environment).common
            .feed("home", id: \.self, paging: .byID) { try await origin($0) }
        _ = try await feed.page()
        world.connectivity.set(connectivity)
        let reading = try await feed.page()
        #expect(reading.value.ids == ["1"] && reading.reason == .presumedOffline && reading.failure == nil)
        await gate.reached()
        gate.open()
        let late = try await feed.page(policy: .networkOnly)
        #expect(late.value.ids == ["2", "1"])
    }
}
