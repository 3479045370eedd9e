import Foundation
import LarderKit

/// A cache that a library's user has filled, for the tool to look at.
struct FilledCache {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    var path: String { scratch.path("cache") }

    /// Opens the cache, lets `body` fill it, and closes it again.
    func fill(_ body: (Larder) async throws -> Void) async throws {
        let larder = try Larder(.folder(URL(fileURLWithPath: path, isDirectory: true)))
        defer { larder.close() }
        try await body(larder)
    }
}

extension Partition {
    /// Bytes under a key.
    func put(_ key: String, _ bytes: Data, in storage: ResourceOptions.Storage = .database) async throws {
        let resource = self.bytes(key, options: ResourceOptions(storage: storage)) { _ in
            throw FetchFailure(.offline, "nobody is asked")
        }
        try await resource.store(bytes)
    }

    /// A list of items with these numbers, the newest first, and nothing beyond.
    func putList(_ name: String, _ ids: [Int]) async throws {
        let feed = feed(name, paging: .byID) { _ in Page.last(ids.map { NumberedItem(id: $0) }) }
        _ = try await feed.page(limit: max(1, ids.count))
    }
}

struct NumberedItem: Codable, Identifiable, Sendable {
    let id: Int
}
