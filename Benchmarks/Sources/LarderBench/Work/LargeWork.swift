import CBaseline
import Foundation
import LarderKit

/// Large values, to find from which size on a file of their own is faster than a row.
struct LargeWork: Work {
    static let name = "large"
    static let summary = "get and set of 16 KB to 4 MB: rows, files, and a resource's own choice"

    let bench: Bench

    func run() async throws {
        let sizes =
            bench.isQuick ? [65_536, 1 << 20] : [16_384, 32_768, 49_152, 65_537, 131_072, 262_144, 1 << 20, 4 << 20]
        for size in sizes { try await compare(size: size) }
    }

    private func compare(size: Int) async throws {
        let count = min(500, max(8, (128 << 20) / size))
        let stores = try KeyStores(bench, size: size, count: count)
        try await stores.fill(files: 0)
        let files = try PlainFiles(bench.path("plain-files"), count: count) { stores.value(seed: $0) }
        let keys = Keys(count)
        let runs = max(4, min(60, (16 << 20) / size))
        let name = "\(size / 1024) KB"
        let rawGet = Side(prepare: keys.draw) { number in
            guard stores.rawGet(keys.names[number]) == Int32(size) else { throw BenchError("a key is gone") }
        }
        try await report(
            "get \(name), its row", "get-row-\(size)", runs, rawGet,
            Side(prepare: keys.draw) { number in
                guard try stores.rows.get(keys.names[number])?.count == size else { throw BenchError("a key is gone") }
            })
        try await report(
            "  a plain file", "get-plain-\(size)", runs, rawGet,
            Side(prepare: keys.draw) { number in
                guard try files.read(keys.numbers[number]).count == size else { throw BenchError("a file is gone") }
            })
        try await report(
            "  the resource", "get-resource-\(size)", runs, rawGet,
            Side(prepare: keys.draw) { number in
                guard try stores.resource(keys.names[number]).peek()?.value.count == size else {
                    throw BenchError("a key is gone")
                }
            })

        let fresh = Values(stores)
        let draw = { (count: Int) in
            keys.draw(count)
            fresh.draw(count)
        }
        let rawSet = Side(prepare: draw) { number in stores.rawSet(keys.names[number], fresh.values[number]) }
        try await report(
            "set \(name), its row", "set-row-\(size)", runs / 2, rawSet,
            Side(prepare: draw) { number in
                try stores.rows.set(keys.names[number], fresh.values[number])
            })
        try await report(
            "  a plain file", "set-plain-\(size)", runs / 2, rawSet,
            Side(prepare: draw) { number in
                try files.replace(keys.numbers[number], fresh.values[number])
            })
        try await report(
            "  the resource, fetch and all", "set-resource-\(size)", runs / 2, rawSet,
            Side(prepare: draw) { number in
                stores.lay(fresh.values[number])
                _ = try await stores.resource(keys.names[number]).read(.networkOnly)
            })
        stores.close()
        bench.remove("keys", "keys-rows.sqlite", "keys-raw.sqlite", "plain-files")
    }

    private func report(_ title: String, _ figure: String, _ runs: Int, _ raw: Side, _ ours: Side) async throws {
        let result = try await bench.meter.compare(figure, rounds: 9, runs: max(2, runs), ours: ours, raw: raw)
        if let result { bench.report.add(.p50(title, result)) }
    }
}

/// Files as a larder keeps large values in: a new one for each value, not synced, and the old one removed.
private final class PlainFiles {
    private let folder: URL
    private var files: [URL] = []
    private var next = 0

    init(_ folder: URL, count: Int, _ value: (Int) -> Data) throws {
        self.folder = folder
        for shelf in 0..<256 {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("\(shelf)"), withIntermediateDirectories: true)
        }
        for number in 0..<count { files.append(try write(value(number))) }
    }

    private func write(_ value: Data) throws -> URL {
        let url = folder.appendingPathComponent("\(next % 256)/\(next)")
        next += 1
        try value.write(to: url)
        return url
    }

    func read(_ number: Int) throws -> Data { try Data(contentsOf: files[number]) }

    func replace(_ number: Int, _ value: Data) throws {
        let old = files[number]
        files[number] = try write(value)
        try FileManager.default.removeItem(at: old)
    }
}
