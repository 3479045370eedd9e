import CBaseline
import Foundation
import LarderKit

/// 100,000 posts into an empty store, to the last commit.
struct BulkWork: Work {
    static let name = "bulk"
    static let summary = "upsert of 100,000 items: in one page, in pages of 1,000, in pages of 20"

    let bench: Bench
    private var count: Int { bench.isQuick ? 20_000 : 100_000 }

    init(bench: Bench) {
        self.bench = bench
    }

    func run() async throws {
        let items = Items(baseline_post, first: 0, count: count)
        try await rows(items)
        for size in [count, 1000, 20] {
            try await feed(items, page: size)
        }
    }

    /// One transaction, oldest first.
    private func rows(_ items: Items) async throws {
        let comparison = try await bench.meter.compare(
            "bulk-rows", rounds: 3, runs: 1,
            ours: Side { _ in
                bench.remove("bulk-rows.sqlite")
                let rows = try RowStore(bench.path("bulk-rows.sqlite"))
                try rows.upsert(items)
                rows.close()
            },
            raw: raw(items, page: items.count))
        if let comparison {
            bench.report.add(perItem("bulk upsert of \(count.grouped), its rows, an item", comparison, target: 0.8))
        }
    }

    /// The whole of a feed's work, paged back from the newest as an app does.
    private func feed(_ items: Items, page size: Int) async throws {
        let starts = Array(stride(from: 0, to: count, by: size).reversed())
        let answers = starts.map { Items(baseline_post, first: $0, count: min(size, count - $0)).answer }
        let comparison = try await bench.meter.compare(
            "bulk-feed-\(size)", rounds: 3, runs: 1,
            ours: Side { _ in
                bench.remove("bulk-feed")
                let ours = try FeedStore(bench.path("bulk-feed"))
                for (start, answer) in zip(starts, answers) {
                    ours.server.lay(answer)
                    if size == count {
                        // Not read back: nobody shows so large a page.
                        try await ours.feed.refresh(limit: size)
                    } else {
                        try await ours.takePage(below: start + size == count ? nil : start + size, limit: size)
                    }
                }
                ours.close()
            },
            raw: raw(items, page: size))
        let pages = size == count ? "as one page" : "in pages of \(size.grouped)"
        if let comparison { bench.report.add(perItem("  the whole of a feed's work, \(pages)", comparison)) }
        bench.remove("bulk-feed", "bulk-raw.sqlite")
    }

    private func raw(_ items: Items, page size: Int) -> Side {
        Side { _ in
            bench.remove("bulk-raw.sqlite")
            let raw = RawStore(bench.path("bulk-raw.sqlite"))
            var end = items.count
            while end > 0 {
                let first = max(0, end - size)
                baseline_upsert_page(raw.pointer, 1, items.pointer + first, Int32(end - first))
                end = first
            }
            raw.close()
        }
    }

    private func perItem(_ work: String, _ comparison: Comparison, target: Double? = nil) -> Figure {
        let count = Double(count)
        return Figure(
            work, ours: comparison.ours.p50 / count, raw: comparison.raw.p50 / count, ratio: comparison.ratio,
            target: target)
    }
}
