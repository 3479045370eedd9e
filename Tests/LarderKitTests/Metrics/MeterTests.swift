import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5)))
struct MeterTests {
    private static let event = LarderEvent.requestStarted(.init(.resource, number: 1))

    @Test func `what is noted is counted and logged`() {
        let log = NotedEvents()
        let meter = Meter(log: ClosureLog { log.note($0) })
        meter.note(Self.event)
        meter.note(.signedOut)
        #expect(meter.snapshot.requests == 1)
        #expect(log.events == [Self.event, .signedOut])
    }

    @Test func `a log may look at the counters`() throws {
        let log = LookingLog()
        let meter = Meter(log: log)
        log.meter.withLock { $0 = meter }
        meter.note(Self.event)
        #expect(log.seen.withLock { $0 } == 1)
        log.meter.withLock { $0 = nil }
    }

    @Test func `numbers are made where they are logged`() {
        let key = StoreKey(key: "k")
        #expect(Meter().subject(.feed, key).number == 0)
        #expect(Meter(log: NotedEvents()).subject(.feed, key) == LarderEvent.Subject(.feed, key))
    }

    @Test func `whoever listens hears the state first, then the latest`() async {
        let meter = Meter()
        meter.note(Self.event)
        var iterator = meter.updates().makeAsyncIterator()
        #expect(await iterator.next(isolation: nil)?.requests == 1)
        for _ in 0..<5 { meter.note(Self.event) }
        #expect(await iterator.next(isolation: nil)?.requests == 6)
        meter.note(Self.event)
        #expect(await iterator.next(isolation: nil)?.requests == 7)
    }

    @Test func `listeners end with the larder and leave nothing behind`() async {
        let meter = Meter()
        do {
            let updates = meter.updates()
            #expect(meter.listenerCount == 1)
            withExtendedLifetime(updates) {}
        }
        #expect(meter.listenerCount == 0)
        var iterator = meter.updates().makeAsyncIterator()
        meter.close()
        #expect(await iterator.next(isolation: nil)?.isEmpty == true)
        #expect(await iterator.next(isolation: nil) == nil)
        var late = meter.updates().makeAsyncIterator()
        #expect(await late.next(isolation: nil)?.isEmpty == true)
        #expect(await late.next(isolation: nil) == nil)
        #expect(meter.listenerCount == 0)
    }

    @Test func `what is to be saved is taken once, and given back when it could not be`() {
        let meter = Meter()
        meter.note(Self.event)
        let first = meter.takeUnsaved()
        #expect(first.requests == 1)
        #expect(meter.takeUnsaved().isEmpty)
        meter.note(Self.event)
        meter.giveBack(first)
        meter.note(.requestEnded(.init(.feed, number: 2), .failed(.offline), after: .zero))
        let second = meter.takeUnsaved()
        #expect(second.requests == 2 && second.failures == ["offline": 1])
        #expect(meter.takeUnsaved().isEmpty)
        #expect(meter.snapshot.requests == 2)
    }

    @Test func `nothing is lost or taken twice by many at once`() async {
        let meter = Meter()
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var sum = 0
                    for round in 0..<500 {
                        meter.note(Self.event)
                        if round % 10 == 0 { sum += meter.takeUnsaved().requests }
                    }
                    return sum
                }
            }
            return await group.reduce(0, +)
        }
        #expect(taken + meter.takeUnsaved().requests == 4000)
        #expect(meter.snapshot.requests == 4000)
    }
}

/// A log that keeps what it is told.
private final class NotedEvents: LarderLog {
    private let noted = Mutex<[LarderEvent]>([])
    var events: [LarderEvent] { noted.withLock { $0 } }
    func note(_ event: LarderEvent) { noted.withLock { $0.append(event) } }
}

/// A log that asks the meter that calls it.
private final class LookingLog: LarderLog {
    let meter = Mutex<Meter?>(nil)
    let seen = Mutex(0)

    func note(_ event: LarderEvent) {
        let requests = meter.withLock { $0?.snapshot.requests ?? 0 }
        seen.withLock { $0 = requests }
    }
}
