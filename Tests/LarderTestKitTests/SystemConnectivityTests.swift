import Synchronization
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(1)))
struct SystemConnectivityTests {
    @Test func `a stream begins with a state`() async {
        var states = SystemConnectivity().states().makeAsyncIterator()
        #expect(await states.next() != nil)
    }
}

#if os(Linux)
    private final class Stopwatch: Sendable {
        private let start = ContinuousClock.now
        private let passed = Mutex(Duration.zero)
        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
        func show(_ duration: Duration) { passed.withLock { $0 = duration } }
    }

    /// The states that a probe is to see, one after the other; the last stays.
    private final class Views: Sendable {
        private let views: Mutex<[Connectivity]>
        private let taken = Mutex(0)

        init(_ views: Connectivity...) {
            self.views = Mutex(views)
        }

        var looks: Int { taken.withLock { $0 } }

        func look() -> Connectivity {
            taken.withLock { $0 += 1 }
            return views.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .unknown }
        }
    }

    extension SystemConnectivityTests {
        @Test func `Linux never claims to be offline`() {
            #expect([.online, .unknown].contains(SystemProbe.lookAtInterfaces()))
            #expect(SystemConnectivity.shared.current != .offline)
        }

        @Test(arguments: [
            // Up, loopback and running are bits 0, 3 and 6 of an interface's flags (netdevice(7), if.h).
            (flags: 0x41 as UInt32, carries: true),
            (flags: 0x11043, carries: true),
            (flags: 0x01, carries: false),
            (flags: 0x40, carries: false),
            (flags: 0x49, carries: false),
            (flags: 0x00, carries: false),
        ])
        func `an interface counts when it is up, running and no loopback`(flags: UInt32, carries: Bool) {
            #expect(SystemProbe.carriesTraffic(flags: flags) == carries)
        }

        @Test func `interfaces are looked at when asked, at most once an interval`() async {
            let watch = Stopwatch()
            let views = Views(.unknown, .online)
            let source = SystemConnectivity(
                probe: SystemProbe(now: { watch.now }, look: { views.look() }))
            #expect(views.looks == 0)

            var states = source.states().makeAsyncIterator()
            #expect(await states.next() == .unknown)
            watch.show(SystemProbe.interval - .milliseconds(1))
            #expect(source.current == .unknown)
            #expect(views.looks == 1)

            watch.show(SystemProbe.interval)
            #expect(source.current == .online)
            #expect(views.looks == 2)
            #expect(await states.next() == .online)
        }
    }
#endif
