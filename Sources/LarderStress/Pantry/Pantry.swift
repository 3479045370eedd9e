import Foundation
import LarderKit
import Synchronization

/// Where a value of the mixed load is kept.
struct PantryPlace: Sendable, Hashable, CustomStringConvertible {
    let partition: String
    let key: String
    let isInFile: Bool

    var description: String { "\(partition)/\(key)" }

    /// All places there are.
    static let all =
        ["anna", "bob"].flatMap { partition in
            (0..<5).map { PantryPlace(partition: partition, key: "db/\($0)", isInFile: false) }
                + (0..<3).map { PantryPlace(partition: partition, key: "file/\($0)", isInFile: true) }
        }
}

/// A larder under the mixed load, with its servers.
struct Pantry: Sendable {
    let larder: Larder
    /// How many items each feed's server has ever had.
    private let servers: Servers

    final class Servers: Sendable {
        fileprivate let totals: Mutex<[PantryFeed: Int]>

        init(_ totals: [PantryFeed: Int] = [:]) {
            self.totals = Mutex(totals)
        }
    }

    init(_ larder: Larder, totals: [PantryFeed: Int] = [:]) {
        self.larder = larder
        servers = Servers(totals)
    }

    func total(of feed: PantryFeed) -> Int { servers.totals.withLock { $0[feed] ?? 0 } }
    func grow(_ feed: PantryFeed, to total: Int) { servers.totals.withLock { $0[feed] = total } }

    /// A handle of a value, whose server gives the next version.
    func resource(_ place: PantryPlace, version: Int = 0) -> Resource<Sample> {
        let options = ResourceOptions(storage: place.isInFile ? .files : .database, tags: ["all", place.key])
        return larder.partition(place.partition).resource(place.key, options: options) {
            Sample("\(place)", version: version, size: Sample.size(of: version))
        }
    }

    /// A handle of a feed of the partition "anna".
    func feed(_ feed: PantryFeed) -> Feed<FeedItem> {
        let partition = larder.partition("anna")
        let options = FeedOptions(tags: ["all"])
        let list: @Sendable () -> PantryList = { [self] in PantryList(feed: feed, total: total(of: feed)) }
        if feed == .notes, let json = try? JSONItems(at: "$.items", next: "$.next_cursor", keepsEnvelope: true) {
            return partition.feed(feed.rawValue, json: json, paging: feed.paging, options: options) { request in
                list().rawAnswer(for: request)
            }
        }
        return partition.feed(feed.rawValue, paging: feed.paging, options: options) { request in
            list().page(for: request)
        }
    }
}
