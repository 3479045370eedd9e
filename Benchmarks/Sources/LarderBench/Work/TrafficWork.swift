import CBaseline
import Foundation
import LarderKit
import Synchronization

/// One writer, a page after the other, and four readers of random pages.
struct TrafficWork: Work {
    static let name = "traffic"
    static let summary = "one writer with four readers: reads a second, p99"

    let bench: Bench
    private let stored = 50_000
    private let readers = 4

    init(bench: Bench) {
        self.bench = bench
    }

    func run() async throws {
        guard bench.meter.loop == nil else { return }
        var ours: [Traffic] = []
        var rows: [Traffic] = []
        var raw: [Traffic] = []
        for _ in 0..<(bench.isQuick ? 3 : 5) {
            raw.append(try rawTraffic())
            rows.append(try await rowTraffic())
            ours.append(try await feedTraffic())
        }
        add("one writer, four readers, rows by LarderSQLite", rows, raw, targets: (0.95, 1.1))
        add("one writer, four readers, a feed", ours, raw, targets: nil)
        bench.report.note("  Five busy threads share the processors: what a faster writer takes, readers wait for.")
    }

    private func add(_ work: String, _ ours: [Traffic], _ raw: [Traffic], targets: (reads: Double, p99: Double)?) {
        func figure(
            _ name: String, _ path: KeyPath<Traffic, Double>, _ unit: Figure.Unit, _ target: Double?
        ) -> Figure {
            Figure(
                name, ours: ours.map { $0[keyPath: path] }.quantile(0.5),
                raw: raw.map { $0[keyPath: path] }.quantile(0.5),
                unit: unit, ratio: zip(ours, raw).map { $0[keyPath: path] / $1[keyPath: path] }.quantile(0.5),
                target: target)
        }
        bench.report.add(figure("\(work): reads", \.reads, .perSecond, targets?.reads))
        bench.report.add(figure("  writes of a page", \.writes, .perSecond, nil))
        bench.report.add(figure("  a read, p50", \.p50, .nanoseconds, nil))
        bench.report.add(figure("  a read, p99", \.p99, .nanoseconds, targets?.p99))
    }

    private var seconds: Double { bench.isQuick ? 1 : 2 }

    private func rawTraffic() throws -> Traffic {
        bench.remove("traffic-raw.sqlite")
        let raw = RawStore(bench.path("traffic-raw.sqlite"))
        raw.fill(baseline_post, count: stored)
        raw.close()
        let result = baseline_run_traffic(raw.file.path, UInt32(stored), Int32(readers), seconds)
        return Traffic(
            reads: result.reads_per_second, writes: result.writes_per_second, p50: result.read_p50,
            p99: result.read_p99)
    }

    private func rowTraffic() async throws -> Traffic {
        bench.remove("traffic-rows.sqlite")
        let rows = try RowStore(bench.path("traffic-rows.sqlite"))
        defer { rows.close() }
        try rows.fill(baseline_post, count: stored)
        try await rows.settle()
        return try await Traffic.measure(stored: stored, readers: readers, seconds: seconds) { id in
            _ = try rows.older(than: id, limit: 20)
        } write: { page in
            try rows.upsert(page)
        }
    }

    private func feedTraffic() async throws -> Traffic {
        bench.remove("traffic-feed")
        let ours = try FeedStore(bench.path("traffic-feed"))
        defer { ours.close() }
        try await ours.fill(baseline_post, count: stored, page: 100)
        return try await Traffic.measure(stored: stored, readers: readers, seconds: seconds) { id in
            _ = try ours.feed.peek(.older(than: ItemID(id)))
        } write: { page in
            ours.server.lay(page.answer)
            try await ours.takePage(below: nil, limit: 20)
        }
    }
}

/// What readers and a writer got done beside each other.
private struct Traffic {
    let reads: Double
    let writes: Double
    let p50: Double
    let p99: Double

    /// Readers on threads of their own, as in C; the writer in a task.
    static func measure(
        stored: Int, readers: Int, seconds: Double, read: @escaping @Sendable (Int64) throws -> Void,
        write: @Sendable (Items) async throws -> Void
    ) async throws -> Traffic {
        let state = Shared()
        let group = DispatchGroup()
        for reader in 0..<readers {
            group.enter()
            let thread = Thread {
                state.readUntilOver(seed: UInt64(reader), stored: stored, read)
                group.leave()
            }
            thread.start()
        }
        let pages = (0..<1000).map { Items(baseline_post, first: stored + $0 * 10, count: 20) }
        let start = baseline_now()
        var written = 0.0
        while Double(baseline_now() - start) < seconds * 1e9 {
            try await write(pages[Int(written) % pages.count])
            written += 1
        }
        state.end()
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        let elapsed = Double(baseline_now() - start) / 1e9
        let all = state.all
        return Traffic(
            reads: Double(all.count) / elapsed, writes: written / elapsed, p50: all.quantile(0.5),
            p99: all.quantile(0.99))
    }
}

private final class Shared: Sendable {
    private let isOver = Atomic(false)
    private let times = Mutex<[Double]>([])

    var all: [Double] { times.withLock { $0 } }

    func end() {
        isOver.store(true, ordering: .relaxed)
    }

    func readUntilOver(seed: UInt64, stored: Int, _ read: (Int64) throws -> Void) {
        var state = seed
        var mine: [Double] = []
        while !isOver.load(ordering: .relaxed) {
            let id = baseline_id(20 + UInt32(baseline_random(&state) % UInt64(stored - 20)))
            let start = baseline_now()
            guard (try? read(id)) != nil else { break }
            mine.append(Double(baseline_now() - start))
        }
        times.withLock { $0 += mine }
    }
}
