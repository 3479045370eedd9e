import Foundation
import LarderKit
import Testing

@testable import LarderKit

@Suite struct FileStoreTests {
    let folder: TestFolder
    let store: FileStore
    let key = StoreKey(key: "k")

    init() throws {
        folder = try TestFolder()
        store = FileStore(folder: folder.url("files"))
    }

    private func entry(_ text: String, stamp: Int64 = 0) -> StoredEntry {
        StoredEntry(
            body: Data(text.utf8),
            metadata: EntryMetadata(codec: .served, stamp: stamp, storedAt: Date(timeIntervalSince1970: 1_768_478_400)))
    }

    private func files() -> [String] { folder.contents().filter { $0.hasSuffix(".entry") } }

    private func file() throws -> URL { folder.url(try #require(files().first)) }

    @Test func `no key and no partition leads out of the folder`() async throws {
        let names = ["..", ".", "", "/", "../x", "a/../../b", "/etc/larder-test", "nul\0byte", "~"]
        for name in names {
            try await store.put(entry("v"), for: StoreKey(partition: name, key: name))
            try await store.put(entry("v"), for: StoreKey(key: name))
        }
        let outside = folder.contents().filter { $0 != "files" && !$0.hasPrefix("files/") }
        #expect(outside == [])
        // One folder a partition, one file a key, nothing deeper.
        #expect(files().count == 2 * names.count - 1)
        #expect(files().allSatisfy { $0.split(separator: "/").count == 3 })
    }

    @Test func `names stay apart where the file system ignores case, and fit it`() async throws {
        let long = String(repeating: "x", count: 3000)
        let keys = ["A", "a", "\u{C9}", "\u{E9}", "e\u{301}", long, long + "X", long + "x", long.uppercased()]
        let names = keys.map { FileName.name(for: $0) }
        #expect(Set(names.map { $0.lowercased() }).count == keys.count)
        #expect(names.allSatisfy { $0.utf8.count <= 200 })
        #expect(names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 && $0 != 0x2F && $0 != 0 } })
    }

    @Test func `files are for their owner alone`() async throws {
        try await store.put(entry("v"), for: StoreKey(partition: "ann", key: "k"))
        #expect(try permissions(store.folder) == 0o700)
        #expect(try permissions(store.folder.appendingPathComponent("ann")) == 0o700)
        #expect(try permissions(try file()) == 0o600)
        try await store.put(entry("w"), for: StoreKey(partition: "ann", key: "k"))
        #expect(try permissions(try file()) == 0o600)
    }

    @Test func `reading makes no folder`() async throws {
        #expect(try store.entry(for: key) == nil)
        #expect(try await store.summaries() == [])
        try await store.remove(key)
        try await store.removeAll(in: "")
        #expect(folder.contents() == [])
    }

    // MARK: - Damage

    enum Damage: CaseIterable {
        case empty, cutInTheMagic, cutInTheLength, cutInTheHeader, cutInTheBody, cutByOne, grown, foreign, zeros
        case garbledHeader, changedHeader, tornBody, hugeHeader

        func apply(to data: Data) -> Data {
            let header = Int(data[11])
            switch self {
            case .empty: return Data()
            case .cutInTheMagic: return data.prefix(5)
            case .cutInTheLength: return data.prefix(10)
            case .cutInTheHeader: return data.prefix(20 + header / 2)
            case .cutInTheBody: return data.dropLast(10)
            case .cutByOne: return data.dropLast()
            case .grown: return data + [0]
            case .foreign: return Data("<html>Not a larder's</html>".utf8)
            case .zeros: return Data(count: data.count)
            case .garbledHeader: return data.prefix(20) + Data(repeating: 0x20, count: data.count - 20)
            case .changedHeader: return data.prefix(20) + data.dropFirst(20).replacingFirst("served", by: "sErved")
            case .tornBody: return data.dropLast(10) + Data(count: 10)
            case .hugeHeader: return data.prefix(8) + [0xFF, 0xFF, 0xFF, 0xFF] + data.dropFirst(12)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `a damaged file is reported, never served, and replaced by the next value`(damage: Damage) async throws {
        let good = entry("a body of some length", stamp: 5)
        let other = StoreKey(key: "other")
        try await store.put(good, for: key)
        let file = try file()
        try await store.put(good, for: other)
        try damage.apply(to: Data(contentsOf: file)).write(to: file)

        let error = #expect(throws: StorageError.self) { try store.entry(for: key) }
        #expect(error?.kind == .corrupt)
        #expect(error?.nextStep?.isEmpty == false)
        #expect(try store.entry(for: other) == good)
        #expect(try await store.summaries().contains { $0.key == other })

        // What was there has lost its stamp with its header.
        #expect(try await store.put(entry("new", stamp: 1), for: key))
        #expect(try store.entry(for: key) == entry("new", stamp: 1))
    }

    @Test(arguments: Damage.allCases)
    func `a damaged file can be removed`(damage: Damage) async throws {
        try await store.put(entry("a body of some length"), for: key)
        let file = try file()
        try damage.apply(to: Data(contentsOf: file)).write(to: file)
        try await store.remove(key)
        #expect(try store.entry(for: key) == nil)
        #expect(files() == [])
    }

    @Test func `another key's file under a key's name is a miss`() async throws {
        try await store.put(entry("other"), for: StoreKey(key: "other"))
        let other = try file()
        try await store.put(entry("mine"), for: key)
        let mine = folder.url(try #require(files().first { !other.path.hasSuffix($0) }))
        try Data(contentsOf: other).write(to: mine)
        #expect(try store.entry(for: key) == nil)
    }

    @Test func `what a crash left half written is never served and in nobody's way`() async throws {
        try await store.put(entry("good"), for: key)
        let place = try file().deletingLastPathComponent()
        let whole = try Data(contentsOf: try file())
        try whole.prefix(20).write(to: place.appendingPathComponent(".writing-1"))
        try whole.write(to: place.appendingPathComponent(".writing-2"))
        try whole.write(to: place.appendingPathComponent(".writing-3.entry"))
        try Data("x".utf8).write(to: store.folder.appendingPathComponent("stray.entry"))
        // Listed, and gone when it is opened.
        try FileManager.default.createSymbolicLink(
            atPath: place.appendingPathComponent("gone.entry").path, withDestinationPath: "nowhere")
        #expect(try store.entry(for: key) == entry("good"))
        #expect(try store.entry(for: StoreKey(key: ".writing-2")) == nil)
        #expect(try await store.summaries().map(\.key) == [key])
        try await store.put(entry("better", stamp: 1), for: key)
        #expect(try store.entry(for: key) == entry("better", stamp: 1))
    }

    @Test func `a write leaves nothing but the file`() async throws {
        for stamp in 0..<20 { try await store.put(entry("\(stamp)", stamp: Int64(stamp)), for: key) }
        let place = try file().deletingLastPathComponent()
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).count == 1)
    }

    // MARK: - Places that cannot be written

    @Test func `a folder in a file's place is reported by every call`() async throws {
        try await store.put(entry("v"), for: key)
        let file = try file()
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: StorageError.self) { try store.entry(for: key) }
        await #expect(throws: StorageError.self) { try await store.put(entry("w"), for: key) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path).count == 1)
    }

    @Test func `a store whose place is taken by a file says what to check`() async throws {
        let place = folder.url("taken")
        try Data("mine".utf8).write(to: place)
        let store = FileStore(folder: place)
        let error = await #expect(throws: StorageError.self) { try await store.put(entry("v"), for: key) }
        #expect(error?.kind == .missing)
        #expect(error?.description.contains(place.path) == true)
        #expect(error?.nextStep?.isEmpty == false)
        #expect(try Data(contentsOf: place) == Data("mine".utf8))
    }

    @Test func `a full disk keeps the old value and says so`() async throws {
        guard let disk = try SmallDisk(in: folder) else {
            try Test.cancel("needs root and mount, for a disk that is full")
        }
        defer { disk.unmount() }
        let store = FileStore(folder: disk.url)
        try await store.put(entry("old"), for: key)
        let large = StoredEntry(body: Data(repeating: 1, count: 4 << 20), metadata: entry("").metadata)
        let error = await #expect(throws: StorageError.self) { try await store.put(large, for: key) }
        #expect(error?.kind == .full)
        #expect(error?.nextStep?.isEmpty == false)
        #expect(try store.entry(for: key) == entry("old"))
        // Nothing of the attempt is left to fill the disk.
        try await store.put(entry("new"), for: key)
        #expect(try store.entry(for: key) == entry("new"))
    }
}

extension Data {
    fileprivate func replacingFirst(_ old: String, by new: String) -> Data {
        guard let range = range(of: Data(old.utf8)) else { return self }
        return self[..<range.lowerBound] + Data(new.utf8) + self[range.upperBound...]
    }
}
