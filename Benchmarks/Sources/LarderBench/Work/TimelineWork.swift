import CBaseline
import Foundation
import LarderKit

/// What it costs to see a list as a whole: the first time, and again after one new item, beside a list that is a hundred times
/// shorter. Both sides are ours.
struct TimelineWork: Work {
    static let name = "timeline"
    static let summary = "a snapshot of a list after one new item, of 10,000 beside 100 items; both sides ours"

    let bench: Bench

    func run() async throws {
        let long = try await WatchedFeed(bench.path("timeline-long"), count: 10_000)
        let short = try await WatchedFeed(bench.path("timeline-short"), count: 100)
        let first = try await bench.meter.compare(
            "timeline-first", runs: 10,
            ours: Side { _ in try long.readWhole() }, raw: Side { _ in try short.readWhole() })
        if let first {
            bench.report.add(.p50("a timeline of 10,000 items for the first time (beside: 100)", first))
        }
        try await compare("timeline-refresh", "a refresh that brings one item, nobody watching", long, short) { feed in
            try await feed.refresh()
        }
        try await long.watch()
        try await short.watch()
        try await compare("timeline-next", "the same, and the next snapshot with its changes", long, short) { feed in
            try await feed.refresh()
            try await feed.next()
        }
        long.store.close()
        short.store.close()
        bench.remove("timeline-long", "timeline-short")
    }

    private func compare(
        _ figure: String, _ text: String, _ long: WatchedFeed, _ short: WatchedFeed,
        _ body: nonisolated(nonsending) @escaping (WatchedFeed) async throws -> Void
    ) async throws {
        let comparison = try await bench.meter.compare(
            figure, runs: 50, ours: Side { _ in try await body(long) }, raw: Side { _ in try await body(short) })
        guard let comparison else { return }
        bench.report.add(.p50("\(text), 10,000 items (beside: 100)", comparison, target: 1.5))
    }
}

/// A feed that grows by one item at a time, and someone who watches it.
private final class WatchedFeed {
    let store: FeedStore
    private var newest: Int
    private var iterator: (any AsyncIteratorProtocol<FeedSnapshot<Data>, Never>)?

    init(_ folder: URL, count: Int) async throws {
        store = try FeedStore(folder)
        newest = count
        try await store.fill(baseline_post, count: count, page: 100)
    }

    nonisolated(nonsending) func watch() async throws {
        iterator = store.feed.updates(refresh: .never).makeAsyncIterator()
        try await next()
    }

    /// Another feed's handle would share what this one has looked at.
    func readWhole() throws {
        let larder = store.larder
        let feed = larder.common.feedOfBytes("home", json: JSONItems(), paging: .byID) { _ in RawAnswer(body: Data()) }
        guard try feed.timeline()?.value.count ?? 0 >= newest else { throw BenchError("not the whole timeline") }
    }

    nonisolated(nonsending) func refresh() async throws {
        store.server.lay(Items(baseline_post, first: newest - 1, count: 2).answer)
        newest += 1
        guard try await store.feed.refresh().inserted.count == 1 else { throw BenchError("not one item came") }
    }

    nonisolated(nonsending) func next() async throws {
        guard let snapshot = await iterator?.next(isolation: #isolation), snapshot.timeline?.value.count ?? 0 >= newest
        else { throw BenchError("the snapshot is not the latest") }
    }
}
