import Foundation
import LarderKit

/// A case of the format `data/1` about the disk: keys, values, or rows of an older model.
enum StorageTable: Sendable {
    case keys(KeyTable)
    case values(ValueTable)
    case models(ModelTable)

    /// - Returns: `nil` for a case about something else.
    init?(_ value: ScriptValue) throws(CaseFailure) {
        guard case .object(let members) = value else { return nil }
        if members["keys"] != nil {
            self = .keys(try KeyTable(value))
        } else if members["jsonTexts"] != nil || members["sizes"] != nil {
            self = .values(try ValueTable(value))
        } else if members["v1rows"] != nil {
            self = .models(try ModelTable(value))
        } else {
            return nil
        }
    }

    func run() async throws {
        let cache = try CacheOnDisk()
        defer { cache.end() }
        switch self {
        case .keys(let table): try await table.run(cache)
        case .values(let table): try await table.run(cache)
        case .models(let table): try await table.run(cache)
        }
    }
}

/// A cache in a folder within a folder, so that what lands outside of it is seen.
final class CacheOnDisk {
    let outer: URL
    private let folder: URL
    private(set) var larder: Larder

    static let storages: [(name: String, storage: ResourceOptions.Storage)] = [
        ("database", .database), ("files", .files), ("memory", .memory),
    ]

    init() throws {
        outer = FileManager.default.temporaryDirectory
            .appendingPathComponent("larder-scenario-\(UUID().uuidString)", isDirectory: true)
        folder = outer.appendingPathComponent("a/cache", isDirectory: true)
        larder = try Larder(.folder(folder), options: LarderOptions(budget: .unlimited))
    }

    func restart() throws {
        larder.close()
        larder = try Larder(.folder(folder), options: LarderOptions(budget: .unlimited))
    }

    func end() {
        larder.close()
        try? FileManager.default.removeItem(at: outer)
    }

    func resource(_ key: String, _ storage: ResourceOptions.Storage, _ answer: RawAnswer? = nil) -> Resource<Data> {
        larder.common.bytes(key, options: ResourceOptions(storage: storage)) { _ in
            guard let answer else { throw FetchFailure(.offline, "scripted: offline") }
            return answer
        }
    }

    /// How many files there are that are not in the cache's folder.
    var filesOutside: Int {
        (FileManager.default.subpaths(atPath: outer.path) ?? []).count { name in
            name != "a" && name != "a/cache" && !name.hasPrefix("a/cache/")
        }
    }
}

/// Keys that have to be told apart, whatever is in them.
struct KeyTable: Sendable {
    private let keys: [String]
    private let areDistinct: Bool
    private let surviveRestart: Bool
    private let filesOutside: Int

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(
            value, at: "the case", known: ["format", "case", "area", "title", "source", "keys", "expect"])
        var keys: [String] = []
        for value in try fields.list("keys") ?? [] {
            guard case .text(let key) = value else { throw fields.mismatch("keys", "a list of texts") }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw CaseFailure("the case has no keys") }
        self.keys = keys
        guard
            let expect = try fields.fields(
                "expect", known: ["allDistinct", "roundTripAfterRestart", "filesOutsideFolder"]), !expect.names.isEmpty
        else { throw CaseFailure("the case expects nothing") }
        areDistinct = try expect.bool("allDistinct") ?? true
        surviveRestart = try expect.bool("roundTripAfterRestart") ?? true
        filesOutside = try expect.count("filesOutsideFolder") ?? 0
    }

    func run(_ cache: CacheOnDisk) async throws {
        // In rows, and in files that rows name.
        for size in [20, 70_000] {
            for (name, storage) in CacheOnDisk.storages {
                for (index, key) in keys.enumerated() {
                    try await cache.resource(key, storage).store(body(index, size))
                }
                try compare("in \(name)", areDistinct) { index in
                    try cache.resource(keys[index], storage).peek()?.value == body(index, size)
                }
            }
            try cache.restart()
            for (name, storage) in CacheOnDisk.storages where name != "memory" {
                try compare("in \(name) after a restart", surviveRestart) { index in
                    try cache.resource(keys[index], storage).peek()?.value == body(index, size)
                }
            }
        }
        let outside = cache.filesOutside
        guard outside == filesOutside else {
            throw CaseFailure("filesOutsideFolder: expected \(filesOutside), got \(outside)")
        }
    }

    private func compare(_ place: String, _ wanted: Bool, _ isRight: (Int) throws -> Bool) throws {
        let wrong = try keys.indices.filter { try !isRight($0) }
        guard wrong.isEmpty == wanted else {
            let names = wrong.map { JSONString.quoting(String(keys[$0].prefix(40))) }.joined(separator: ", ")
            throw CaseFailure(
                "\(place): expected \(wanted ? "each key to have" : "keys to share") its value, got \(names)")
        }
    }

    private func body(_ index: Int, _ size: Int) -> Data { StorageBody("body \(index)", bytes: size).data }
}

/// Values, whatever is in them, that come back to the byte.
struct ValueTable: Sendable {
    private let texts: [String]
    private let sizes: [Int]
    /// Whether an answer without a byte is a value.
    private let emptyIsHit: Bool?

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(
            value, at: "the case",
            known: ["format", "case", "area", "title", "source", "jsonTexts", "sizes", "emptyBody"])
        var texts: [String] = []
        for value in try fields.list("jsonTexts") ?? [] {
            guard case .text(let text) = value else { throw fields.mismatch("jsonTexts", "a list of texts") }
            texts.append(text)
        }
        self.texts = texts
        var sizes: [Int] = []
        for value in try fields.list("sizes") ?? [] {
            guard case .number(let number) = value, let size = Int("\(number)"), (0...1 << 28).contains(size) else {
                throw fields.mismatch("sizes", "a list of sizes")
            }
            sizes.append(size)
        }
        self.sizes = sizes
        guard let empty = try fields.fields("emptyBody", known: ["status", "contentLength", "expect"]) else {
            emptyIsHit = nil
            return
        }
        guard try empty.count("status") == 200, try empty.count("contentLength") == 0 else {
            throw CaseFailure("\(empty.place) is no answer without a byte")
        }
        emptyIsHit = try empty.word("expect", of: ["hit": true, "miss": false])
    }

    func run(_ cache: CacheOnDisk) async throws {
        let values =
            texts.enumerated().map { ("text \($0 + 1)", RawAnswer(headers: Self.json, body: Data($1.utf8))) }
            + sizes.map { ("\($0) bytes", RawAnswer(body: StorageBody("size \($0)", bytes: $0).data)) }
            + (emptyIsHit == nil ? [] : [("the empty body", RawAnswer(headers: ["Content-Length": "0"], body: Data()))])
        for (name, storage) in CacheOnDisk.storages {
            for (key, answer) in values {
                let reading = try await cache.resource(key, storage, answer).read(.networkOnly)
                guard reading.value == answer.body, reading.warnings.isEmpty else {
                    throw CaseFailure("\(key) in \(name) did not come through as it is")
                }
            }
            try compare(values, cache, name, storage)
        }
        try await cache.larder.common.feedOfBytes("items", json: JSONItems(), paging: .byID, fetch: items).refresh()
        try cache.restart()
        for (name, storage) in CacheOnDisk.storages where name != "memory" {
            try compare(values, cache, "\(name) after a restart", storage)
        }
        try await compareItems(cache)
    }

    private static let json: HeaderFields = ["Content-Type": "application/json"]

    private func compare(
        _ values: [(String, RawAnswer)], _ cache: CacheOnDisk, _ place: String, _ storage: ResourceOptions.Storage
    ) throws {
        for (key, answer) in values {
            let stored = try cache.resource(key, storage).peek()?.value
            if answer.body.isEmpty, emptyIsHit == false {
                guard stored == nil else { throw CaseFailure("\(key) in \(place): expected a miss, got a hit") }
                continue
            }
            guard stored == answer.body else {
                let got = stored.map { "\($0.count) bytes" } ?? "nothing"
                throw CaseFailure("\(key) in \(place): expected its \(answer.body.count) bytes, got \(got)")
            }
        }
    }

    private var items: @Sendable (PageRequest) async throws -> RawAnswer {
        { [texts] _ in
            RawAnswer(headers: Self.json, body: Data("[\(texts.reversed().joined(separator: ","))]".utf8))
        }
    }

    /// The same texts as the items of a list: to the byte, and for an app that decodes them either a value or a report.
    private func compareItems(_ cache: CacheOnDisk) async throws {
        guard !texts.isEmpty else { return }
        let bytes = cache.larder.common.feedOfBytes("items", json: JSONItems(), paging: .byID) { _ in
            throw FetchFailure(.offline, "scripted: offline")
        }
        let stored = try bytes.peek(limit: texts.count)?.value.items ?? []
        guard stored == texts.reversed().map({ Data($0.utf8) }) else {
            throw CaseFailure("as items: expected \(texts.count) that are the same to the byte, got \(stored.count)")
        }
        let decoded = cache.larder.common.feed(
            "items", json: JSONItems(), paging: .byID, decoding: [String: String].self
        ) { _ in throw FetchFailure(.offline, "scripted: offline") }
        let rows = try decoded.timeline()?.value.filter { row in
            switch row {
            case .item, .undecodable: true
            case .gap, .vanished: false
            }
        }
        guard rows?.count == texts.count else {
            throw CaseFailure("as decoded items: some are neither shown nor reported")
        }
    }
}
