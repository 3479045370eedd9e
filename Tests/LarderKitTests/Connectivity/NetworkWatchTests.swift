import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5)))
struct NetworkWatchTests {
    private let world: TestWorld
    private let watch: NetworkWatch

    init() {
        world = TestWorld(connectivity: ManualConnectivity(.unknown))
        watch = NetworkWatch(environment: world.environment)
    }

    /// Waits for what another task is about to bring about.
    private func eventually(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    // MARK: Asked

    /// Case R04.
    @Test func `before any event nothing is known, and nothing is held back`() {
        #expect(watch.current == .unknown)
        #expect(watch.standing(of: "a") == .open)
        #expect(watch.claimProbe(of: "a") == nil)
    }

    @Test func `nobody listens and nobody sleeps while it is only asked and told`() async {
        world.connectivity.set(.online)
        _ = watch.current
        for _ in 0..<3 { watch.note(.unreachable(EvidenceRig.down), of: "a") }
        #expect(watch.current == .suspect)
        for _ in 0..<50 { await Task.yield() }
        #expect(world.connectivity.listenerCount == 0)
        #expect(world.clock.sleeperCount == 0)
    }

    @Test func `what the source says when asked counts at once as long as nobody listens`() {
        for hint in [Connectivity.online, .offline, .suspect, .online] {
            world.connectivity.set(hint)
            #expect(watch.current == hint)
        }
    }

    /// Case R01.
    @Test func `requests have the last word`() {
        world.connectivity.set(.offline)
        #expect(watch.current == .offline)
        watch.note(.answered, of: "a")
        #expect(watch.current == .online)
        world.connectivity.set(.online)
        #expect(watch.current == .online)
        watch.note(.intercepted(EvidenceRig.portal), of: "a")
        #expect(watch.current == .suspect)
    }

    @Test func `an origin that fails is held back, and one request finds out whether it is back`() async throws {
        for _ in 0..<3 { watch.note(.ill(EvidenceRig.ill), of: "a") }
        let remaining = try #require(watch.standing(of: "a").remaining)
        #expect(watch.claimProbe(of: "a") == nil)
        await world.advance(by: remaining)
        #expect(watch.standing(of: "a") == .probeDue(failure: EvidenceRig.ill))
        let probe = try #require(watch.claimProbe(of: "a"))
        #expect(watch.claimProbe(of: "a") == nil)
        watch.note(.answered, of: "a", probe: probe)
        #expect(watch.standing(of: "a") == .open)
    }

    @Test func `a link that comes back is noticed when an origin's standing is asked for`() {
        world.connectivity.set(.offline)
        _ = watch.current
        for _ in 0..<3 { watch.note(.unreachable(EvidenceRig.down), of: "a") }
        world.connectivity.set(.online)
        #expect(watch.standing(of: "a") == .probeDue(failure: EvidenceRig.down))
    }

    // MARK: Listened to

    @Test func `a stream begins with the state, then has each change, with no look by anybody`() async {
        world.connectivity.set(.offline)
        var states = watch.states().makeAsyncIterator()
        #expect(await states.next() == .offline)
        await eventually { world.connectivity.listenerCount == 1 }
        world.connectivity.set(.online)
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: LinkHint.quietTime)
        #expect(await states.next() == .online)
        watch.note(.intercepted(EvidenceRig.portal), of: "a")
        #expect(await states.next() == .suspect)
    }

    /// Case R04: who listens before the first event gets the state once.
    @Test func `the first word of the link counts at once for those who listen, too`() async {
        var states = watch.states().makeAsyncIterator()
        #expect(await states.next() == .unknown)
        await eventually { world.connectivity.listenerCount == 1 }
        world.connectivity.set(.offline)
        #expect(await states.next() == .offline)
        #expect(world.clock.sleeperCount == 0)
    }

    /// Case R02.
    @Test func `a burst is one reconnection`() async {
        world.connectivity.set(.offline)
        var reconnections = watch.reconnections().makeAsyncIterator()
        var states = watch.states().makeAsyncIterator()
        #expect(await states.next() == .offline)
        for hint in [Connectivity.online, .offline, .online, .online] {
            world.connectivity.set(hint)
            #expect(watch.current == .offline)
            await world.clock.sleepers(atLeast: 1)
            await world.advance(by: .milliseconds(50))
        }
        await world.advance(by: .seconds(3))
        #expect(await states.next() == .online)
        #expect(await reconnections.next() == .network)
        watch.close()
        #expect(await reconnections.next() == nil)
    }

    @Test func `who waits hears when an origin is due for a probe, and when it is back`() async throws {
        world.connectivity.set(.online)
        var reconnections = watch.reconnections().makeAsyncIterator()
        for _ in 0..<3 { watch.note(.ill(EvidenceRig.ill), of: "a") }
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: .seconds(1))
        #expect(await reconnections.next() == .origin("a"))
        let probe = try #require(watch.claimProbe(of: "a"))
        watch.note(.answered, of: "a", probe: probe)
        #expect(await reconnections.next() == .origin("a"))
    }

    @Test func `what a slow reader has not taken yet comes once, and every reader has its own`() async {
        world.connectivity.set(.online)
        let streams = (watch.reconnections(), watch.reconnections())
        for _ in 0..<3 {
            for origin in ["a", "b"] {
                watch.note(.intercepted(EvidenceRig.portal), of: origin)
                watch.note(.answered, of: origin)
            }
        }
        for _ in 0..<3 { watch.note(.ill(EvidenceRig.ill), of: "a") }
        watch.note(.answered, of: "a")
        watch.close()
        for stream in [streams.0, streams.1] {
            var all: [Reconnection] = []
            for await reconnection in stream { all.append(reconnection) }
            #expect(all == [.network, .origin("a")])
        }
    }

    @Test func `a reader that is cancelled while it waits goes on with nothing`() async {
        let stream = watch.reconnections()
        let reader = Task {
            for await _ in stream {}
            return true
        }
        await eventually { world.connectivity.listenerCount == 1 }
        reader.cancel()
        #expect(await reader.value)
    }

    @Test func `when the last who listened has gone, nobody sleeps for them`() async {
        world.connectivity.set(.online)
        do {
            var states = watch.states().makeAsyncIterator()
            var reconnections = watch.reconnections().makeAsyncIterator()
            for _ in 0..<3 { watch.note(.ill(EvidenceRig.ill), of: "a") }
            await world.clock.sleepers(atLeast: 1)
            #expect(await states.next() == .online)
            watch.note(.intercepted(EvidenceRig.portal), of: "b")
            watch.note(.answered, of: "b")
            #expect(await reconnections.next() == .network)
        }
        _ = watch.current
        await eventually { world.clock.sleeperCount == 0 && world.connectivity.listenerCount == 0 }
        world.connectivity.set(.offline)
        #expect(watch.current == .offline)
    }

    @Test func `a sleeper that would wake too late gives way to one that wakes in time`() async {
        world.connectivity.set(.online)
        var states = watch.states().makeAsyncIterator()
        #expect(await states.next() == .online)
        watch.note(.throttled(EvidenceRig.busy, .seconds(120)), of: "a")
        await world.clock.sleepers(atLeast: 1)
        world.connectivity.set(.offline)
        #expect(watch.current == .online)
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: LinkHint.quietTime)
        #expect(await states.next() == .offline)
    }

    // MARK: From all sides

    /// The origins that are being probed.
    private final class Probing: Sendable {
        private let origins = Mutex<Set<String>>([])

        func begin(_ origin: String) -> Bool { origins.withLock { $0.insert(origin).inserted } }
        func end(_ origin: String) { origins.withLock { _ = $0.remove(origin) } }
    }

    @Test func `asked, told and listened to by many at the same time, one probe is under way at most`() async {
        let probing = Probing()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { [world, watch] in
                    var random = SplitMix64(seed: UInt64(number))
                    for _ in 0..<300 {
                        let origin = "\(random.next() % 3)"
                        switch random.next() % 8 {
                        case 0: world.connectivity.set(Connectivity.allCases[Int(random.next() % 4)])
                        case 1: _ = watch.current
                        case 2: _ = watch.states()
                        case 3: _ = watch.reconnections()
                        case 4, 5: watch.note(.unreachable(EvidenceRig.down), of: origin)
                        case 6: await world.advance(by: .milliseconds(5))
                        default:
                            guard let probe = watch.claimProbe(of: origin) else { continue }
                            #expect(probing.begin(origin))
                            await Task.yield()
                            probing.end(origin)
                            watch.note(.givenUp, of: origin, probe: probe)
                        }
                    }
                }
            }
        }
        watch.note(.answered, of: "0")
        #expect(watch.current == .online)
        #expect(watch.standing(of: "0") == .open)
        watch.close()
        await eventually { world.clock.sleeperCount == 0 && world.connectivity.listenerCount == 0 }
    }

    // MARK: The end

    @Test func `closed, it ends its streams and can still be asked`() async {
        world.connectivity.set(.online)
        var states = watch.states().makeAsyncIterator()
        #expect(await states.next() == .online)
        await eventually { world.connectivity.listenerCount == 1 }
        watch.close()
        #expect(await states.next() == nil)
        await eventually { world.connectivity.listenerCount == 0 }
        world.connectivity.set(.offline)
        #expect(watch.current == .offline)
        var late = watch.states().makeAsyncIterator()
        #expect(await late.next() == .offline)
        #expect(await late.next() == nil)
        var reconnections = watch.reconnections().makeAsyncIterator()
        #expect(await reconnections.next() == nil)
    }

    @Test func `streams and sleepers do not keep it alive, and end with it`() async {
        let world = TestWorld()
        var watch: NetworkWatch? = NetworkWatch(environment: world.environment)
        weak let observed = watch
        var states = watch?.states().makeAsyncIterator()
        var reconnections = watch?.reconnections().makeAsyncIterator()
        #expect(await states?.next() == .online)
        watch?.note(.throttled(EvidenceRig.busy, .seconds(9)), of: "a")
        await world.clock.sleepers(atLeast: 1)
        watch = nil
        await eventually { observed == nil }
        #expect(await states?.next() == nil)
        #expect(await reconnections?.next() == nil)
        await eventually { world.clock.sleeperCount == 0 && world.connectivity.listenerCount == 0 }
    }
}
