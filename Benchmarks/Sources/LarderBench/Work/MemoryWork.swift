import CBaseline
import Foundation
import LarderKit

/// Memory while a feed grows and while it is read from end to end. A verdict, not a figure to compare.
struct MemoryWork: Work {
    static let name = "memory"
    static let summary = "memory stays flat while 100,000 items come in and a million are paged through; a verdict"

    /// By how much the peak may grow over that of a small feed. What SQLite keeps for itself is bounded by its caches
    /// (2 MB a connection) and by the index of its log (8 bytes a page, 4,000 pages).
    static let bound = 16_000_000

    let bench: Bench

    func run() async throws {
        guard bench.meter.loop == nil else { return }
        var failures: [String] = []
        try await upsert(&failures)
        try await pageThrough(&failures)
        bench.report.note("")
        guard failures.isEmpty else { throw BenchError("memory is not flat: " + failures.joined(separator: "; ")) }
        bench.report.note("memory is flat (bound \(Self.bound / 1_000_000) MB)")
    }

    private func upsert(_ failures: inout [String]) async throws {
        let count = 100_000
        let ours = try FeedStore(bench.path("memory-upsert"))
        defer { ours.close() }
        // What is needed whatever the number of items.
        try await ours.fill(baseline_post, count: 2_000, page: 20)
        let growth = try await peakGrowth {
            for first in stride(from: 2_000, to: count, by: 18) {
                ours.server.lay(Items(baseline_post, first: first - 2, count: 20).answer)
                try await ours.feed.refresh(limit: 20)
            }
        }
        add("peak memory growth, \(count.grouped) posts upserted", growth, &failures)
        guard try ours.feed.gaps().isEmpty else { throw BenchError("the feed has gaps") }
        bench.remove("memory-upsert")
    }

    private func pageThrough(_ failures: inout [String]) async throws {
        let count = bench.isQuick ? 100_000 : 1_000_000
        let ours = try FeedStore(bench.path("memory-pages"))
        defer { ours.close() }
        let filling = try await peakGrowth { try await ours.fill(baseline_shop, count: count, page: 100) }
        add("peak memory growth, \(count.grouped) shops upserted", filling, &failures)
        var read = 0
        let growth = try await peakGrowth {
            var position = FeedPosition.newest
            while let page = try ours.feed.peek(position)?.value, let oldest = page.oldest {
                read += page.items.count
                position = .older(than: oldest)
            }
        }
        guard read == count else { throw BenchError("\(read.grouped) items were read of \(count.grouped)") }
        add("peak memory growth, \(count.grouped) shops paged through", growth, &failures)
        bench.remove("memory-pages")
    }

    private func peakGrowth(_ body: () async throws -> Void) async throws -> Int {
        baseline_forget_peak()
        let before = baseline_peak_memory()
        try await body()
        return Int(baseline_peak_memory()) - Int(before)
    }

    private func add(_ work: String, _ growth: Int, _ failures: inout [String]) {
        bench.report.add(Figure(work, ours: Double(growth), raw: nil, unit: .bytes))
        if growth > Self.bound {
            failures.append("\(work): \(growth / 1_000_000) MB, allowed are \(Self.bound / 1_000_000)")
        }
    }
}
