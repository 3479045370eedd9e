import CBaseline
import Foundation
import LarderKit

/// Values by key, at random among many.
struct KeyWork: Work {
    static let name = "key"
    static let summary = "get and set by key, 1.5 KB and 100 KB, in the database and in files"

    let bench: Bench

    func run() async throws {
        try await compare(size: 1500, count: bench.isQuick ? 5000 : 50_000, name: "1.5 KB")
        try await compare(size: 100_000, count: bench.isQuick ? 200 : 1000, name: "100 KB")
    }

    private func compare(size: Int, count: Int, name: String) async throws {
        let isLarge = size >= 100_000
        let stores = try KeyStores(bench, size: size, count: count)
        try await stores.fill(files: isLarge ? count : min(count, 2000))

        let keys = Keys(count)
        var value: Data?
        let rawGet = Side(prepare: keys.draw) { number in
            guard stores.rawGet(keys.names[number]) == Int32(size) else { throw BenchError("a key is gone") }
        }
        let get = try await bench.meter.compare(
            "get-\(size)",
            ours: Side(prepare: keys.draw) { number in value = try stores.resource(keys.names[number]).peek()?.value },
            raw: rawGet)
        if let get { bench.report.add(.p50("get \(name) by key, in the database", get, target: isLarge ? nil : 1.2)) }
        let rowGet = try await bench.meter.compare(
            "get-rows-\(size)",
            ours: Side(prepare: keys.draw) { number in value = try stores.rows.get(keys.names[number]) }, raw: rawGet)
        if let rowGet { bench.report.add(.p50("  its row alone, by LarderSQLite", rowGet)) }
        let fileKeys = Keys(isLarge ? count : min(count, 2000))
        let fileGet = try await bench.meter.compare(
            "get-file-\(size)",
            ours: Side(prepare: fileKeys.draw) { number in
                value = try stores.files.entry(for: StoreKey(key: fileKeys.names[number]))?.body
            }, raw: rawGet)
        guard value?.count ?? size == size else { throw BenchError("a key is gone") }
        if let fileGet {
            bench.report.add(.p50("get \(name) by key, from a file", fileGet, target: isLarge ? 0.6 : nil))
        }

        // New bytes at each set: SQLite does not write a value over the same one.
        let runs = isLarge ? 20 : 60
        let fresh = Values(stores)
        let draw = { (count: Int) in
            keys.draw(count)
            fresh.draw(count)
        }
        let rawSet = Side(prepare: draw) { number in stores.rawSet(keys.names[number], fresh.values[number]) }
        let rowSet = try await bench.meter.compare(
            "set-rows-\(size)", runs: runs,
            ours: Side(prepare: draw) { number in try stores.rows.set(keys.names[number], fresh.values[number]) },
            raw: rawSet)
        if let rowSet {
            bench.report.add(.p50("set \(name) by key, its row", rowSet, target: isLarge ? nil : 1.1))
        }
        let set = try await bench.meter.compare(
            "set-\(size)", runs: runs,
            ours: Side(prepare: draw) { number in
                stores.lay(fresh.values[number])
                _ = try await stores.resource(keys.names[number]).read(.networkOnly)
            }, raw: rawSet)
        if let set { bench.report.add(.p50("  the whole of a resource's fetch", set)) }
        let fileSet = try await bench.meter.compare(
            "set-file-\(size)", rounds: 5, runs: runs / 2,
            ours: Side { count in
                fileKeys.draw(count)
                fresh.draw(count)
            } run: { [files = stores.files] number in
                try await KeyStores.put(fresh.values[number], fileKeys.names[number], in: files)
            }, raw: rawSet)
        if let fileSet { bench.report.add(.p50("  in a file of its own, synced", fileSet)) }
        stores.close()
        bench.remove("keys", "keys-rows.sqlite", "keys-raw.sqlite")
    }
}
