import Foundation
import Testing

@testable import LarderKit

struct MetricsTests {
    private static let subject = LarderEvent.Subject(.resource, number: 1)

    private static func metrics(_ change: (inout Metrics) -> Void) -> Metrics {
        var metrics = Metrics()
        change(&metrics)
        return metrics
    }

    private static func served(_ reason: ReadingReason, isStale: Bool) -> LarderEvent {
        .served(subject, reason, age: .seconds(1), isStale: isStale, bytes: 10)
    }

    private static let hit = metrics {
        $0.hits = 1
        $0.bytesSaved = 10
    }
    private static let staleHit = metrics { $0.staleHits = 1 }

    @Test(
        arguments: [
            (.requestStarted(subject), metrics { $0.requests = 1 }),
            (
                .requestEnded(subject, .value(bytes: 7), after: .zero),
                metrics {
                    $0.fetched = 1
                    $0.bytesReceived = 7
                }
            ),
            (
                .requestEnded(subject, .notModified(bytesSaved: 7), after: .zero),
                metrics {
                    $0.revalidated = 1
                    $0.bytesSaved = 7
                }
            ),
            (
                .requestEnded(subject, .failed(.server(status: 503)), after: .zero),
                metrics { $0.failures = ["server": 1] }
            ),
            (.requestEnded(subject, .cancelled, after: .zero), Metrics()),
            (.joined(subject), metrics { $0.sharedFlights = 1 }),
            (.joinedOtherProcess(subject), metrics { $0.sharedAcrossProcesses = 1 }),
            (.retry(subject, .offline, after: .zero), metrics { $0.retries = 1 }),
            (.heldBack(subject), metrics { $0.heldBack = 1 }),
            (.lateAnswer(subject), metrics { $0.late = 1 }),
            (.notKept(subject), metrics { $0.notKept = 1 }),
            (.gapFound(subject), metrics { $0.gaps = 1 }),
            (.superseded(subject), Metrics()), (.signedOut, Metrics()),
            (.invalidated(count: 3), Metrics()),
        ] as [(LarderEvent, Metrics)])
    func `each event is counted once`(event: LarderEvent, counted: Metrics) {
        var metrics = Metrics()
        metrics.count(event)
        #expect(metrics == counted)
    }

    @Test(
        arguments: [
            (.fresh, false, hit), (.peeked, false, hit), (.cacheOnly, false, hit),
            (.peeked, true, staleHit), (.cacheOnly, true, staleHit), (.staleWhileRevalidate, true, staleHit),
            (.networkFailed, true, staleHit), (.patienceRanOut, true, staleHit), (.presumedOffline, true, staleHit),
            (.notKept, true, staleHit), (.nothingToAsk, true, staleHit),
            // Fresh, and yet a request was made: nothing was saved by it.
            (.networkFailed, false, staleHit),
            (.fetched, false, Metrics()), (.notModified, false, Metrics()),
        ] as [(ReadingReason, Bool, Metrics)])
    func `a reading from the cache is a hit or a stale one`(reason: ReadingReason, isStale: Bool, counted: Metrics) {
        var metrics = Metrics()
        metrics.count(Self.served(reason, isStale: isStale))
        #expect(metrics == counted)
    }

    /// Every counter set to another number.
    private static func full(_ first: Int) -> Metrics {
        metrics { metrics in
            for (index, counter) in Metrics.counters.enumerated() { metrics[keyPath: counter.path] = first + index }
            metrics.failures = ["offline": first, "server": first * 2]
        }
    }

    @Test func `snapshots add up and are told apart`() {
        let (small, large) = (Self.full(10), Self.full(100))
        #expect((small + large) - large == small)
        #expect(small + Metrics() == small)
        #expect((small - small).isEmpty)
        #expect(!small.isEmpty && Metrics().isEmpty)
        for counter in Metrics.counters {
            #expect((small + large)[keyPath: counter.path] == small[keyPath: counter.path] * 2 + 90)
        }
        #expect((small + large).failures == ["offline": 110, "server": 220])
        #expect((Metrics() + Self.metrics { $0.failures = ["other": 1] }).failures == ["other": 1])
    }

    @Test func `no counter is left out`() {
        let declared = Mirror(reflecting: Metrics()).children.compactMap(\.label)
        #expect(Metrics.counters.map(\.name) + ["failures"] == declared)
    }

    @Test func `damaged counters do not trap`() {
        let broken = Self.metrics { $0.hits = .max }
        #expect((broken + broken).hits == .max)
        #expect((Self.metrics { $0.hits = .min } - broken).hits == .min)
        var bytes = Self.metrics { $0.bytesReceived = .max }
        bytes.count(.requestEnded(Self.subject, .value(bytes: 1), after: .zero))
    }

    @Test func `they are stored under their names, and read by earlier and later versions`() throws {
        let metrics = Self.full(3)
        let data = try JSONEncoder().encode(metrics)
        #expect(try JSONDecoder().decode(Metrics.self, from: data) == metrics)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set(object.keys) == Set(Metrics.counters.map(\.name) + ["failures"]))
        let other = try JSONDecoder().decode(Metrics.self, from: Data(#"{"hits":4,"ofLater":[1]}"#.utf8))
        #expect(other == Self.metrics { $0.hits = 4 })
    }
}
