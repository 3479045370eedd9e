import LarderTestKit
import Testing

@testable import LarderKit

/// When what is watched is due, by time and chance that are given.
@Suite struct RefreshScheduleTests {
    private typealias Topic = RefreshSchedule.Topic

    private let random = SeededRandom(seed: 7)

    private func topic(_ name: String) -> Topic { .feed(StoreKey(key: name)) }

    private func schedule(_ watchers: (Int, String, RefreshPolicy)..., at now: Duration = .zero) -> RefreshSchedule {
        var schedule = RefreshSchedule()
        for (number, name, policy) in watchers {
            schedule.add(number, topic(name), origin: "host", policy, at: now)
        }
        return schedule
    }

    @Test func `what asks for nothing again is not kept`() {
        let schedule = schedule((1, "a", .never), (2, "b", .whenStale.once), (3, "c", .always.once))
        #expect(schedule.count == 0 && schedule.next == nil)
    }

    @Test func `ten who watch one thing make one request after an event`() {
        var schedule = RefreshSchedule()
        for number in 0..<10 { schedule.add(number, topic("a"), origin: "host", .whenStale, at: .zero) }
        schedule.plan(.network, at: .seconds(10), random: random)
        #expect(schedule.take(at: .seconds(30)).map(\.topic) == [topic("a")])
        #expect(schedule.take(at: .seconds(60)).isEmpty && schedule.next == nil)
    }

    @Test func `a burst of events is one`() {
        var schedule = schedule((1, "a", .whenStale), (2, "b", .whenStale))
        for _ in 0..<5 { schedule.plan(.network, at: .seconds(10), random: random) }
        schedule.plan(.foreground, at: .seconds(10), random: random)
        schedule.plan(.origin("host"), at: .seconds(10), random: random)
        let due = schedule.take(at: .seconds(10))
        #expect(due.count == 2 && schedule.next == nil)
        for due in due { schedule.asked(for: due.topic, at: .seconds(10)) }
        // Right after a request that was answered an event says nothing new; what failed is asked for a little later.
        schedule.plan(.network, at: .seconds(11), random: random) { _ in false }
        #expect(schedule.next == nil)
        schedule.plan(.network, at: .seconds(11), random: random) { $0 == topic("a") }
        #expect(schedule.next == .seconds(12))
    }

    @Test func `many things are spread after an outage, within a limit, and none is forgotten`() throws {
        var schedule = RefreshSchedule()
        for number in 0..<500 { schedule.add(number, topic("\(number)"), origin: "host", .whenStale, at: .zero) }
        schedule.plan(.network, at: .seconds(100), random: random)
        var perSecond: [Int] = []
        for second in 100..<110 { perSecond.append(schedule.take(at: .seconds(second + 1)).count) }
        #expect(perSecond.reduce(0, +) == 500)
        #expect(perSecond.allSatisfy { (20...90).contains($0) }, "\(perSecond)")
    }

    @Test func `who looks at the app is not made to wait`() {
        var schedule = schedule((1, "a", .whenStale), (2, "b", .always))
        schedule.plan(.foreground, at: .seconds(10), random: random)
        let due = schedule.take(at: .seconds(10))
        #expect(due.map(\.isUnconditional) == [false, true])
    }

    @Test func `an interval counts from the last request, the shortest one counts, and it is no shorter than a second`()
    {
        var schedule = schedule(
            (1, "a", .whenStale.every(.seconds(30))), (2, "a", .never.every(.seconds(5))),
            (3, "b", .whenStale.every(.zero)))
        #expect(schedule.next == .seconds(1))
        schedule.remove(3, topic("b"))
        #expect(schedule.next == .seconds(5))
        let due = schedule.take(at: .seconds(5))
        #expect(due.map(\.isUnconditional) == [true])
        #expect(schedule.next == .seconds(10))
        schedule.remove(2, topic("a"))
        #expect(schedule.next == .seconds(35))
        schedule.remove(1, topic("a"))
        #expect(schedule.next == nil && schedule.count == 0)
    }

    @Test func `what was left alone is due again when the host is back, and the one that found out is not`() {
        var schedule = schedule((1, "a", .whenStale), (2, "b", .whenStale))
        schedule.plan(.origin("host"), at: .seconds(10), random: random)
        #expect(schedule.take(at: .seconds(11)).count == 2)
        schedule.asked(for: topic("a"), at: .seconds(11))
        schedule.plan(.origin("host"), at: .seconds(12), random: random) { $0 == topic("b") }
        #expect(schedule.take(at: .seconds(13)).map(\.topic) == [topic("b")])
    }

    @Test func `an interval goes on while the server is left alone`() {
        var schedule = schedule((1, "a", .whenStale.every(.seconds(5))))
        #expect(schedule.take(at: .seconds(5)).count == 1)
        #expect(schedule.next == .seconds(10))
    }

    @Test func `a host that is back concerns what is asked of it, and a change what has changed`() {
        var schedule = schedule((1, "a", .whenStale), (2, "b", .whenStale))
        schedule.add(3, topic("c"), origin: "other", .whenStale, at: .zero)
        schedule.plan(.origin("other"), at: .seconds(5), random: random)
        #expect(schedule.take(at: .seconds(9)).map(\.topic) == [topic("c")])
        schedule.plan(.changed([topic("b"), topic("z")]), at: .seconds(9), random: random)
        #expect(schedule.take(at: .seconds(9)).map(\.topic) == [topic("b")])
    }
}
