import CBaseline
import Foundation
import LarderKit

/// A larder of ours with one feed, fed from a ``Server``.
struct FeedStore {
    let folder: URL
    let larder: Larder
    let server = Server()
    let feed: Feed<Data>

    init(_ folder: URL) throws {
        self.folder = folder
        larder = try Larder(.folder(folder), options: LarderOptions(budget: .unlimited))
        feed = larder.common.feedOfBytes("home", json: JSONItems(), paging: .byID) { [server] _ in server.answer() }
    }

    func close() {
        larder.close()
    }

    /// Fills an empty feed with items 0 ..< count, as an app that pages back from the newest does.
    func fill(_ kind: baseline_kind, count: Int, page size: Int) async throws {
        var end = count
        while end > 0 {
            let first = max(0, end - size)
            server.lay(Items(kind, first: first, count: end - first).answer)
            try await takePage(below: end == count ? nil : end, limit: end - first)
            end = first
        }
    }

    /// Fetches one page below item `number`, or the newest.
    func takePage(below number: Int?, limit: Int) async throws {
        let position = number.map { FeedPosition.older(than: ItemID(baseline_id(UInt32($0)))) } ?? .newest
        _ = try await feed.page(position, limit: limit, policy: .networkOnly)
    }

    /// The bytes of the cache file, its log moved in. Closes the larder.
    func closedSize() throws -> Int {
        close()
        return try fileSize(folder.appendingPathComponent("cache.sqlite"))
    }
}

func fileSize(_ url: URL) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
}
