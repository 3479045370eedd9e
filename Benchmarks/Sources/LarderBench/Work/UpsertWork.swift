import CBaseline
import Foundation
import LarderKit

/// A page of 20 in one transaction, half of it stored already.
struct UpsertWork: Work {
    static let name = "upsert"
    static let summary = "a page of 20 in one transaction, half of it stored already"

    let bench: Bench
    private let stored = 10_000

    init(bench: Bench) {
        self.bench = bench
    }

    func run() async throws {
        try await rows(baseline_post, "posts")
        try await rows(baseline_shop, "shops")
        try await feed(baseline_post, "posts")
    }

    /// The row work alone, through LarderSQLite.
    private func rows(_ kind: baseline_kind, _ name: String) async throws {
        let rows = try RowStore(bench.path("upsert-rows.sqlite"))
        try rows.fill(kind, count: stored)
        let raw = RawStore(bench.path("upsert-raw.sqlite"))
        raw.fill(kind, count: stored)
        let pages = Pages(kind, from: stored)
        let comparison = try await bench.meter.compare(
            "upsert-rows-\(name)", runs: 100,
            ours: Side(prepare: pages.lay) { number in try rows.upsert(pages.items[number]) },
            raw: upsert(raw, Pages(kind, from: stored)))
        if let comparison {
            let isTarget = kind == baseline_post
            let text = "upsert of a page of 20 \(name), its rows"
            bench.report.add(.p50(text, comparison, target: isTarget ? 1.1 : nil))
            bench.report.add(.p99("  the same", comparison, target: isTarget ? 0.5 : nil))
        }
        rows.close()
        raw.close()
        bench.remove("upsert-rows.sqlite", "upsert-raw.sqlite")
    }

    /// All that a feed does: flight, splitting the answer, placing it, segments, rows, and reading the page back.
    private func feed(_ kind: baseline_kind, _ name: String) async throws {
        let ours = try FeedStore(bench.path("upsert-feed"))
        try await ours.fill(kind, count: stored, page: 100)
        let raw = RawStore(bench.path("upsert-raw.sqlite"))
        raw.fill(kind, count: stored)
        let pages = Pages(kind, from: stored)
        let comparison = try await bench.meter.compare(
            "upsert-feed-\(name)", runs: 100,
            ours: Side(prepare: pages.lay) { number in
                ours.server.lay(pages.answers[number])
                try await ours.takePage(below: nil, limit: 20)
            },
            raw: upsert(raw, Pages(kind, from: stored)))
        if let comparison {
            bench.report.add(.p50("the whole of a feed's work for such a page", comparison))
            bench.report.add(.p99("  the same", comparison))
        }
        ours.close()
        raw.close()
        bench.remove("upsert-feed", "upsert-raw.sqlite")
    }

    private func upsert(_ raw: RawStore, _ pages: Pages) -> Side {
        Side(prepare: pages.lay) { number in
            baseline_upsert_page(raw.pointer, 1, pages.items[number].pointer, 20)
        }
    }
}

/// Pages of 20 that each bring ten new items on top of ten of the page before.
private final class Pages {
    private(set) var items: [Items] = []
    private(set) var answers: [Data] = []
    private let kind: baseline_kind
    private var next: Int

    init(_ kind: baseline_kind, from first: Int) {
        self.kind = kind
        next = first - 10
    }

    func lay(_ count: Int) {
        items = (0..<count).map { Items(kind, first: next + $0 * 10, count: 20) }
        answers = items.map(\.answer)
        next += count * 10
    }
}
