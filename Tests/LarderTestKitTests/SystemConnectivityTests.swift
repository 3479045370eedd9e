import Synchronization
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5)))
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

    /// The states that a look is to see, one after the other; the last stays.
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
        @Test func `a look at interfaces never claims to be offline`() {
            #expect([.online, .unknown].contains(InterfaceGlance.lookAtInterfaces()))
        }

        @Test
        func `where the kernel may not be watched, interfaces are looked at when asked, at most once an interval`()
            async
        {
            let watch = Stopwatch()
            let views = Views(.unknown, .online)
            let source = SystemConnectivity(
                probe: SystemProbe(
                    watch: { _ in nil }, glance: InterfaceGlance(now: { watch.now }, look: { views.look() })))
            #expect(views.looks == 0)

            var states = source.states().makeAsyncIterator()
            #expect(await states.next() == .unknown)
            watch.show(InterfaceGlance.interval - .milliseconds(1))
            #expect(source.current == .unknown)
            #expect(views.looks == 1)

            watch.show(InterfaceGlance.interval)
            #expect(source.current == .online)
            #expect(views.looks == 2)
            #expect(await states.next() == .online)
        }
    }
#endif
