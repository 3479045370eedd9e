import LarderKit
import LarderTestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ManualConnectivityTests {
    @Test func `a stream begins with the state now, then tells each change`() async {
        let connectivity = ManualConnectivity(.unknown)
        var states = connectivity.states().makeAsyncIterator()
        #expect(await states.next() == .unknown)
        connectivity.set(.offline)
        #expect(connectivity.current == .offline)
        #expect(await states.next() == .offline)
    }

    @Test func `the same state again is no transition`() async {
        var connectivity: ManualConnectivity? = ManualConnectivity(.online)
        var states = connectivity?.states().makeAsyncIterator()
        #expect(await states?.next() == .online)
        connectivity?.set(.suspect)
        #expect(await states?.next() == .suspect)
        connectivity?.set(.suspect)
        connectivity = nil
        #expect(await states?.next() == nil)
    }

    @Test func `a slow reader gets the latest state only`() async {
        let connectivity = ManualConnectivity(.online)
        var states = connectivity.states().makeAsyncIterator()
        connectivity.set(.suspect)
        connectivity.set(.offline)
        #expect(await states.next() == .offline)
    }

    @Test func `every caller has a stream of its own`() async {
        let connectivity = ManualConnectivity(.online)
        var first = connectivity.states().makeAsyncIterator()
        var second = connectivity.states().makeAsyncIterator()
        #expect(await first.next() == .online)
        connectivity.set(.offline)
        #expect(await first.next() == .offline)
        #expect(await second.next() == .offline)
    }

    @Test func `a stream that nobody reads any more is let go`() async {
        let connectivity = ManualConnectivity()
        let reader = Task {
            for await _ in connectivity.states() {}
        }
        reader.cancel()
        await reader.value
        #expect(connectivity.listenerCount == 0)
    }

    @Test func `streams end when their source goes`() async {
        var connectivity: ManualConnectivity? = ManualConnectivity(.online)
        let stream = connectivity?.states()
        connectivity = nil
        var seen: [Connectivity] = []
        if let stream { for await state in stream { seen.append(state) } }
        #expect(seen == [.online])
    }
}
