import CBaseline
import Foundation
import LarderKit

/// The deep look at a whole cache, beside `PRAGMA integrity_check` and reading every body by raw C.
struct VerifyWork: Work {
    static let name = "verify"
    static let summary = "verification of a whole cache, in bytes of the file a second"

    let bench: Bench

    func run() async throws {
        let count = bench.isQuick ? 20_000 : 100_000
        let folder = bench.path("verify")
        let store = try FeedStore(folder)
        try await store.fill(baseline_post, count: count, page: 100)
        for number in 0..<200 {
            store.server.lay(Data(repeating: UInt8(number), count: 100_000))
            _ = try await store.larder.common.bytes("\(number)") { [server = store.server] _ in server.answer() }
                .read(.networkOnly)
        }
        let size = Double(try store.closedSize())
        let path = folder.appendingPathComponent("cache.sqlite").path
        let result = try await bench.meter.compare(
            "verify", rounds: 5, runs: 1,
            ours: Side { _ in
                guard try await LarderRepair.verify(folder: folder).isSound else { throw BenchError("not sound") }
            },
            raw: Side { _ in
                guard
                    baseline_check(path, "SELECT body FROM larder_feed_item UNION ALL SELECT body FROM larder_entry")
                        > 0
                else { throw BenchError("nothing was read") }
            })
        if let result {
            let (ours, raw) = (size / result.ours.p50 * 1e9, size / result.raw.p50 * 1e9)
            bench.report.add(
                Figure(
                    "verify a cache of \(Int(size) >> 20) MB, bytes a second", ours: ours, raw: raw, unit: .perSecond))
        }
        bench.remove("verify")
    }
}
