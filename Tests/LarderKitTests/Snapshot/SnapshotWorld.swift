import Foundation
import LarderSQLite
import LarderTestKit

@testable import LarderKit

/// Two caches on disk, and a snapshot between them.
struct SnapshotWorld {
    let folder: TestFolder
    let world = TestWorld()
    let source: Larder
    let target: Larder

    init(options: LarderOptions = LarderOptions()) throws {
        folder = try TestFolder()
        source = try Larder(
            .folder(folder.url("source")), options: options, environment: world.environment)
        target = try Larder(
            .folder(folder.url("target")), options: options, environment: world.environment)
    }

    var file: URL { folder.url("first-start.larder") }

    /// Another empty cache.
    func fresh(_ name: String = UUID().uuidString) throws -> Larder {
        try Larder(.folder(folder.url(name)), environment: world.environment)
    }

    /// A cache with one of everything: values of all sizes in database, blobs and files, in two partitions, and feeds of each order
    /// with gaps.
    func fill(_ larder: Larder) async throws {
        for partition in [larder.common, larder.partition("anna")] {
            for (key, size) in [("empty", 0), ("a/../b\0c", 11), ("é", 64 << 10), ("e\u{301}", (64 << 10) + 1)] {
                try await put(key, size: size, in: partition)
            }
            try await put("document", size: 3000, in: partition, storage: .files)
            await world.advance(by: .seconds(60))
            let numbers = try SimulatedFeedServer(.decimal, holding: 1...120)
            let home = partition.feed("home", paging: .byID, fetch: numbers.fetchPage)
            _ = try await home.page(limit: 20)
            _ = try await home.page(.older(than: "60"), limit: 20)
            await world.advance(by: .seconds(60))
            let rules = SimulatedFeedServer.Rules { $0.continuations = .pageNumber(first: 1) }
            let pages = try SimulatedFeedServer(.newestOnTop, holding: 1...90, rules: rules)
            let news = partition.feed("news", paging: .pageNumber(), fetch: pages.fetchPage)
            _ = try await news.page(limit: 10)
            _ = try await news.page(.older(than: "81"), limit: 10)
        }
    }

    func put(
        _ key: String, size: Int, in partition: Partition, storage: ResourceOptions.Storage = .database
    ) async throws {
        let body = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) })
        let options = ResourceOptions(storage: storage)
        _ = try await partition.bytes(key, options: options) { _ in
            RawAnswer(headers: ["ETag": "\"\(size)\"", "Cache-Control": "max-age=600"], body: body)
        }.read(.networkOnly)
    }
}

/// All that can be read of a cache, to be compared.
struct CacheContents: Equatable {
    struct Value: Hashable {
        let key: StoreKey
        let place: String
        let entry: StoredEntry
    }

    struct List: Equatable {
        let name: String
        let partition: String
        let items: [String]
        let segments: [String]
        let edges: [String]
        let envelopes: [Data]
    }

    var values: Set<Value> = []
    var lists: [List] = []

    init(_ larder: Larder, partitions: [String] = [""]) async throws {
        func counts(_ partition: String) -> Bool { partitions.contains(partition) }
        for summary in try await larder.core.sqliteStore.summaries() where counts(summary.key.partition) {
            guard let entry = try larder.core.sqliteStore.entry(for: summary.key) else { continue }
            values.insert(Value(key: summary.key, place: "database", entry: entry))
        }
        for summary in try await larder.core.fileStore.summaries() where counts(summary.key.partition) {
            guard let entry = try larder.core.fileStore.entry(for: summary.key) else { continue }
            values.insert(Value(key: summary.key, place: "file", entry: entry))
        }
        lists = try larder.core.database.read { db in
            try StoredFeed.all(in: db).filter { counts($0.partition) }.map { feed in try List(feed, in: db) }
        }
    }
}

extension CacheContents.List {
    init(_ feed: StoredFeed, in db: borrowing Connection) throws {
        name = feed.name
        partition = feed.partition
        let segments = try SegmentTable(feed: feed.id).segments(touching: Span(.bottom, .top), in: db)
        self.segments = segments.map { "\($0.span) \($0.stamp.order) \($0.stamp.at) \($0.stamp.lifetime ?? -7)" }
        items = try ItemTable(feed: feed.id, order: feed.order)
            .items(next: .below, to: .top, limit: 1_000_000, in: db)
            .map { "\($0.key) \($0.id) \($0.codec == nil) \($0.body.base64EncodedString())" }
        let table = EdgeTable(feed: feed.id)
        edges = try table.cuts(in: db).compactMap { cut in
            try table.edge(at: cut, in: db).map {
                "\($0.cut) \($0.stamp) \(String(describing: $0.continuation)) \($0.isSeam)"
            }
        }
        envelopes = try EnvelopeTable(feed: feed.id).bodies(of: segments.map(\.stamp), in: db)
    }
}
