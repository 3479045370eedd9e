import CBaseline
import Foundation
import LarderKit

/// What gaps cost: the same work on a feed with a thousand of them, and on one with ten. Both sides are ours.
struct GapWork: Work {
    static let name = "gaps"
    static let summary = "reading, refreshing and filling with 1,000 gaps, beside the same with 10; both sides ours"

    let bench: Bench

    func run() async throws {
        let many = try await GappyFeed(bench.path("gaps-many"), gaps: 1_000)
        let few = try await GappyFeed(bench.path("gaps-few"), gaps: 10)
        try await compare("read", "a page in the middle", many, few) { feed, _ in
            guard try feed.readInTheMiddle() == 20 else { throw BenchError("not a whole page") }
        }
        try await compare("refresh", "a refresh that brings one item", many, few) { feed, _ in
            try await feed.refresh()
        }
        try await compare("fill", "filling a gap, and forgetting it again", many, few) { feed, number in
            try await feed.fillAndForget(number)
        }
        many.store.close()
        few.store.close()
        bench.remove("gaps-many", "gaps-few")
    }

    private func compare(
        _ figure: String, _ text: String, _ many: GappyFeed, _ few: GappyFeed,
        _ body: nonisolated(nonsending) @escaping (GappyFeed, Int) async throws -> Void
    ) async throws {
        let comparison = try await bench.meter.compare(
            "gaps-\(figure)", runs: 50,
            ours: Side { number in try await body(many, number) },
            raw: Side { number in try await body(few, number) })
        guard let comparison else { return }
        bench.report.add(.p50("\(text), 1,000 gaps (beside: 10)", comparison, target: 1.5))
    }
}

/// A feed of pages of 20 with gaps of 20 between them.
private final class GappyFeed {
    let store: FeedStore
    private let gaps: Int
    private var newest: Int

    init(_ folder: URL, gaps: Int) async throws {
        store = try FeedStore(folder)
        self.gaps = gaps
        newest = (gaps + 1) * 40
        for number in stride(from: newest, to: 0, by: -40) {
            store.server.lay(Items(baseline_post, first: number - 20, count: 20).answer)
            try await store.takePage(below: number == newest ? nil : number, limit: 20)
        }
        guard try store.feed.gaps().count == gaps else { throw BenchError("the feed has not the gaps it should have") }
    }

    func readInTheMiddle() throws -> Int {
        let above = ItemID(baseline_id(UInt32(gaps / 2 * 40 + 40)))
        return try store.feed.peek(.older(than: above))?.value.items.count ?? 0
    }

    nonisolated(nonsending) func refresh() async throws {
        store.server.lay(Items(baseline_post, first: newest - 1, count: 2).answer)
        newest += 1
        guard try await store.feed.refresh().inserted.count == 1 else { throw BenchError("not one item came") }
    }

    /// The gap lies between the items `above` and `above - 21`.
    nonisolated(nonsending) func fillAndForget(_ number: Int) async throws {
        let above = (number % (gaps - 1) + 2) * 40 - 20
        let gap = Gap(
            above: ItemID(baseline_id(UInt32(above))), below: ItemID(baseline_id(UInt32(above - 21))))
        store.server.lay(Items(baseline_post, first: above - 21, count: 21).answer)
        let change = try await store.feed.fill(gap, limit: 21)
        guard change.inserted.count == 20, change.remaining == nil else { throw BenchError("the gap is not filled") }
        try await store.feed.trim(between: gap.above, and: gap.below)
    }
}
