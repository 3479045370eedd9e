import CBaseline
import Foundation
import LarderKit
import LarderSQLite

/// The same values by key in a larder, through LarderSQLite alone, in files, and by raw C.
struct KeyStores {
    let size: Int
    let count: Int
    let larder: Larder
    let files: FileStore
    let rows: RowStore
    private let raw: RawStore
    private let server = Server()

    init(_ bench: Bench, size: Int, count: Int) throws {
        self.size = size
        self.count = count
        let folder = bench.path("keys")
        larder = try Larder(.folder(folder), options: LarderOptions(budget: .unlimited))
        files = FileStore(folder: folder.appendingPathComponent("entries"))
        rows = try RowStore(bench.path("keys-rows.sqlite"))
        raw = RawStore(bench.path("keys-raw.sqlite"))
    }

    static func name(_ number: Int) -> String { "user/\(baseline_id(UInt32(number)))" }

    /// Bytes that do not compress and are no JSON.
    func value(seed: Int) -> Data {
        var state = UInt64(seed)
        var words = (0..<(size + 7) / 8).map { _ in baseline_random(&state) }
        return words.withUnsafeMutableBytes { Data($0.prefix(size)) }
    }

    func fill(files fileCount: Int) async throws {
        baseline_begin(raw.pointer)
        for number in 0..<count { rawSet(Self.name(number), value(seed: number)) }
        baseline_commit(raw.pointer)
        for number in 0..<count {
            let value = value(seed: number)
            lay(value)
            _ = try await resource(Self.name(number)).read(.networkOnly)
            try rows.set(Self.name(number), value)
            if number < fileCount { try await Self.put(value, Self.name(number), in: files) }
        }
    }

    func resource(_ key: String) -> Resource<Data> {
        larder.common.bytes(key) { [server] _ in server.answer() }
    }

    /// What the next fetch of a resource brings.
    func lay(_ value: Data) {
        server.lay(value)
    }

    static func put(_ value: Data, _ key: String, in files: FileStore) async throws {
        let metadata = EntryMetadata(codec: CodecID(name: "raw"), storedAt: Date())
        try await files.put(StoredEntry(body: value, metadata: metadata), for: StoreKey(key: key))
    }

    func rawSet(_ key: String, _ value: Data) {
        raw.set(key, value)
    }

    func rawGet(_ key: String) -> Int32 {
        raw.find(key)
    }

    func close() {
        larder.close()
        rows.close()
        raw.close()
    }
}
