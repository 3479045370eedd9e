import CBaseline
import Foundation

/// Bytes on disk for each byte of the items.
struct DiskWork: Work {
    static let name = "disk"
    static let summary = "bytes on disk for each byte of the items"

    let bench: Bench

    func run() async throws {
        guard bench.meter.loop == nil else { return }
        for (kind, name) in [(baseline_post, "posts"), (baseline_shop, "shops")] {
            let count = bench.isQuick ? 10_000 : 50_000
            let ours = try FeedStore(bench.path("disk-\(name)"))
            try await ours.fill(kind, count: count, page: 20)
            let raw = RawStore(bench.path("disk-\(name).sqlite"))
            raw.fill(kind, count: count)
            let bytes = Double(Items(kind, first: 0, count: count).byteCount)
            let (oursSize, rawSize) = (Double(try ours.closedSize()), Double(try raw.closedSize()))
            // The target is of bytes on disk to bytes of items, not to raw C.
            bench.report.add(
                Figure(
                    "bytes on disk for a byte of \(name) (ratio: to the bytes)", ours: oursSize / bytes,
                    raw: rawSize / bytes, unit: .bytes, ratio: oursSize / bytes,
                    target: kind == baseline_post ? 1.12 : nil))
            bench.remove("disk-\(name)", "disk-\(name).sqlite")
        }
    }
}
