import CBaseline
import Foundation
import LarderKit

/// A page of 20 as bytes: the newest, and below a random item.
struct ReadWork: Work {
    static let name = "read"
    static let summary = "a page of 20 as bytes, at 10,000 to 1,000,000 items"

    let bench: Bench

    func run() async throws {
        for count in bench.isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000] {
            let posts = try await bench.library.posts(count)
            let places = Places(count: count)
            try verify(posts)
            try await peek(posts, places)
            if count == 10_000 {
                try await rows(posts, places)
                try await page(posts)
            }
        }
    }

    /// On the caller's thread.
    private func peek(_ posts: Library.Posts, _ places: Places) async throws {
        let feed = posts.ours.feed
        var kept: Reading<FeedPage<Data>>?
        let size = posts.count.grouped
        let newest = try await bench.meter.compare(
            "newest-\(posts.count)", ours: Side { _ in kept = try feed.peek() }, raw: newest(posts.raw))
        if let newest { bench.report.add(.p50("page of 20, bytes, newest of \(size)", newest, target: 1.0)) }
        let older = try await bench.meter.compare(
            "older-\(posts.count)",
            ours: Side(prepare: places.draw) { number in kept = try feed.peek(.older(than: places.ids[number])) },
            raw: Side(prepare: places.draw) { number in
                baseline_older(posts.raw.pointer, 1, places.numbers[number], 20)
            })
        if let older { bench.report.add(.p50("page of 20, bytes, below an id of \(size)", older, target: 0.8)) }
        withExtendedLifetime(kept) {}
    }

    /// Through LarderSQLite alone: the part of it that is row work.
    private func rows(_ posts: Library.Posts, _ places: Places) async throws {
        let rows = try RowStore(bench.path("read-rows.sqlite"))
        try rows.fill(baseline_post, count: posts.count)
        var kept: [(id: Int64, body: Data)] = []
        let newest = try await bench.meter.compare(
            "newest-rows", ours: Side { _ in kept = try rows.newest(limit: 20) }, raw: newest(posts.raw))
        if let newest { bench.report.add(.p50("  its rows alone, by LarderSQLite, newest", newest)) }
        let older = try await bench.meter.compare(
            "older-rows",
            ours: Side(prepare: places.draw) { number in
                kept = try rows.older(than: places.numbers[number], limit: 20)
            },
            raw: Side(prepare: places.draw) { number in
                baseline_older(posts.raw.pointer, 1, places.numbers[number], 20)
            })
        if let older { bench.report.add(.p50("  its rows alone, by LarderSQLite, below an id", older)) }
        withExtendedLifetime(kept) {}
        rows.close()
        bench.remove("read-rows.sqlite")
    }

    /// By the call that may ask the network: where it is made from decides whether it has to change threads.
    private func page(_ posts: Library.Posts) async throws {
        let (feed, file) = (posts.ours.feed, posts.raw.file)
        if let comparison = try await Self.page(bench.meter, "page-task", feed, file) {
            bench.report.add(.p50("  by an async read, from a task", comparison))
        }
        if let comparison = try await Self.pageFromMainActor(bench.meter, feed, file) {
            bench.report.add(.p50("  by an async read, from the main actor", comparison))
        }
    }

    @MainActor
    private static func pageFromMainActor(_ meter: Meter, _ feed: Feed<Data>, _ file: URL) async throws -> Comparison? {
        try await page(meter, "page-main", feed, file)
    }

    nonisolated(nonsending) private static func page(
        _ meter: Meter, _ figure: String, _ feed: Feed<Data>, _ file: URL
    ) async throws -> Comparison? {
        let raw = RawStore(file)
        var kept: Reading<FeedPage<Data>>?
        defer { withExtendedLifetime(kept) {} }
        return try await meter.compare(
            figure, ours: Side { _ in kept = try await feed.page(policy: .cacheOnly) },
            raw: Side { _ in baseline_newest(raw.pointer, 1, 20) })
    }

    private func newest(_ raw: RawStore) -> Side {
        Side { _ in baseline_newest(raw.pointer, 1, 20) }
    }

    /// Both sides must give the same bytes, or a ratio says nothing.
    private func verify(_ posts: Library.Posts) throws {
        let raw = posts.raw.rows(baseline_newest(posts.raw.pointer, 1, 20))
        guard let page = try posts.ours.feed.peek()?.value, page.isComplete, page.items == raw.map(\.body),
            page.ids == raw.map({ ItemID($0.id) })
        else { throw BenchError("the two sides do not read the same page") }
    }
}

/// Random places in a feed, the same for both sides of a round.
final class Places {
    private(set) var numbers: [Int64] = []
    private(set) var ids: [ItemID] = []
    private let count: Int
    private var draws = 0

    init(count: Int) {
        self.count = count
    }

    func draw(_ wanted: Int) {
        // Two draws are of one round.
        var state = UInt64(draws / 2)
        draws += 1
        numbers = (0..<wanted).map { _ in baseline_id(20 + UInt32(baseline_random(&state) % UInt64(count - 20))) }
        ids = numbers.map { ItemID($0) }
    }
}
