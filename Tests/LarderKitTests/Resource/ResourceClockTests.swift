import Foundation
import LarderKit
import LarderTestKit
import Testing

/// A user who sets the clock loses nothing and keeps nothing for longer.
@Suite(.timeLimit(.minutes(5)))
struct ResourceClockTests {
    private static let day: TimeInterval = 86_400

    @Test(arguments: [ReadPolicy.cacheFirst, .staleWhileRevalidate, .networkFirst])
    func `set back two days, a value is stale at once; set ahead a year and offline, it is still served`(
        policy: ReadPolicy
    ) async throws {
        let it = try ScriptedResource(.answer(.number(1, ["Cache-Control": "max-age=60"])))
        let resource = it.resource()
        let noon = it.world.clock.now()
        _ = try await resource.read()

        it.world.clock.set(wall: noon - 2 * Self.day)
        await it.world.advance(by: .seconds(120))
        let back = try #require(try resource.peek())
        #expect(back.value == [1] && back.isStale && back.age == .zero)
        #expect(try await resource.read(.cacheOnly).isStale)

        it.world.clock.set(wall: noon + 365 * Self.day)
        it.world.connectivity.set(.offline)
        it.origin.append(.fail(FetchFailure(.offline, "no network")))
        let ahead = try await resource.read(policy)
        #expect(ahead.value == [1] && ahead.isStale && ahead.source == .cache)
        #expect(ahead.age == .seconds(365 * 86_400))
        #expect(try resource.peek()?.value == [1])
    }

    @Test func `set back, a value is asked for again and the new one is kept`() async throws {
        let it = try ScriptedResource(.answer(.number(1)), .answer(.number(2)))
        let resource = it.resource(maxAge: .seconds(60))
        _ = try await resource.read()
        it.world.clock.set(wall: it.world.clock.now() - 2 * Self.day)
        let reading = try await resource.read()
        #expect(reading.value == [2] && reading.warnings.isEmpty)
        #expect(try await resource.read().reason == .fresh)
        #expect(try resource.peek()?.storedAt == it.world.clock.now())
    }

    @Test func `a value from the future is replaced by one that comes now, also after a restart`() async throws {
        let folder = try TestFolder()
        let world = TestWorld()
        let noon = world.clock.now()
        world.clock.set(wall: noon + 365 * Self.day)
        do {
            let larder = try Larder(.folder(folder.url), environment: world.environment)
            _ = try await larder.common.resource("k") { 1 }.read()
            larder.close()
        }
        world.clock.set(wall: noon)
        let larder = try Larder(.folder(folder.url), environment: world.environment)
        let resource = larder.common.resource("k", maxAge: .seconds(60)) { 2 }
        #expect(try await resource.read().value == 2)
        #expect(try resource.peek()?.value == 2)
        #expect(try await resource.read().reason == .fresh)
    }
}
