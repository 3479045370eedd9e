import CBaseline
import Foundation
import LarderKit

/// A full cache: each value that comes in has another one go.
struct EvictionWork: Work {
    static let name = "eviction"
    static let summary = "values of 1.5 KB put into a cache that is full, beside raw C that removes one for each"

    let bench: Bench

    func run() async throws {
        let (size, count) = (1500, bench.isQuick ? 5000 : 20_000)
        let larder = try Larder(
            .folder(bench.path("eviction")), options: LarderOptions(budget: StorageBudget(bytes: count * 1800)))
        let raw = baseline_bounded_open(bench.path("eviction-raw.sqlite").path, Int64(count))
        let server = Server()
        let (names, others) = (Names(), Names())
        let value = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for _ in 0..<count {
            try await Self.put(value, names.next(), server, larder)
            Self.add(value, others.next(), to: raw)
        }
        let result = try await bench.meter.compare(
            "eviction", rounds: 9, runs: bench.isQuick ? 500 : 2000,
            ours: Side { _ in try await Self.put(value, names.next(), server, larder) },
            raw: Side { _ in Self.add(value, others.next(), to: raw) })
        if let result {
            bench.report.add(.p50("put 1.5 KB into a full cache, fetch and all", result))
            // Trimming goes in steps: what it costs is in the mean.
            bench.report.add(
                Figure("  mean, with the trimming in it", ours: result.ours.mean, raw: result.raw.mean))
        }
        let usage = try larder.usage()
        guard usage.total <= count * 1800 + count * 1800 / 32 else { throw BenchError("the budget is not kept") }
        larder.close()
        baseline_bounded_close(raw)
        bench.remove("eviction", "eviction-raw.sqlite")
    }

    private static func put(_ value: Data, _ key: String, _ server: Server, _ larder: Larder) async throws {
        server.lay(value)
        _ = try await larder.common.bytes(key) { _ in server.answer() }.read(.networkOnly)
    }

    private static func add(_ value: Data, _ key: String, to store: OpaquePointer) {
        var key = key
        key.withUTF8 { key in
            value.withUnsafeBytes { bytes in
                guard let name = key.baseAddress, let start = bytes.baseAddress else { return }
                name.withMemoryRebound(to: CChar.self, capacity: key.count) {
                    baseline_bounded_add(store, $0, Int32(key.count), start, Int32(bytes.count))
                }
            }
        }
    }
}

/// Keys, each once.
private final class Names {
    private var count = 0

    func next() -> String {
        count += 1
        return KeyStores.name(count)
    }
}
