import Foundation
import LarderKit
import LarderTestKit

/// A cache of which every byte is known: values in rows and in files, values that were replaced and removed, and two feeds.
struct KnownCache: Sendable {
    typealias Item = SimulatedFeedServer.Item

    let world = TestWorld()
    private let byID = SimulatedFeedServer(.decimal)
    private let onTop = SimulatedFeedServer(.newestOnTop)

    static let values = 90
    static let removed = 20
    static let large = 3
    static let items = 240

    /// Makes the cache in a folder.
    ///
    /// - Parameter leaveOpen: Called before it is closed, when the last writes are still in the log.
    init(in folder: URL, leaveOpen: (URL) throws -> Void) async throws {
        for number in 1...Self.items {
            _ = try byID.insert(ItemID(number), text: Self.text(number))
            _ = try onTop.insert(ItemID("post \(number)"), text: Self.text(number))
        }
        let larder = try open(folder)
        for number in 0..<Self.values + Self.removed {
            try await value(number, in: larder).store(Data("an earlier state of \(number)".utf8))
            try await value(number, in: larder).store(Self.body(number))
        }
        for number in Self.largeNumbers { try await value(number, in: larder).store(Self.body(number)) }
        for feed in feeds(in: larder) {
            _ = try await feed.page(limit: 80)
            while try await !feed.loadOlder(limit: 80).inserted.isEmpty {}
        }
        try await document(in: larder).store(Self.body(1))
        for number in Self.values..<Self.values + Self.removed { try await value(number, in: larder).remove() }
        larder.close()
        let again = try open(folder)
        // A log that is damaged loses its last commits, as it may: they are of what was there before.
        try await value(3, in: again).store(Self.body(3))
        try leaveOpen(folder)
        again.close()
    }

    func open(_ folder: URL, _ damage: DamageResponse = .refuse) throws(StorageError) -> Larder {
        try Larder(.folder(folder), options: LarderOptions(damage: damage), environment: world.environment)
    }

    static var largeNumbers: Range<Int> { 1000..<1000 + large }

    func value(_ number: Int, in larder: Larder) -> Resource<Data> {
        let partition = number.isMultiple(of: 2) ? larder.common : larder.partition("anna")
        return partition.resource("value \(number)", codec: .raw, fetch: Self.noFetch)
    }

    func document(in larder: Larder) -> Resource<Data> {
        larder.common.resource("document", options: ResourceOptions(storage: .files), codec: .raw, fetch: Self.noFetch)
    }

    func feeds(in larder: Larder) -> [Feed<Item>] {
        [
            larder.common.feed("home", paging: .byID(), fetch: byID.fetchPage),
            larder.partition("anna").feed("list", paging: .afterItem(), fetch: onTop.fetchPage),
        ]
    }

    private static let noFetch: @Sendable () async throws -> Data = { throw FetchFailure(.offline, "no network") }

    static func text(_ number: Int) -> String {
        "item \(number) " + String(repeating: "ab\(number % 10)", count: 40 + number % 50)
    }

    static func body(_ number: Int) -> Data {
        let size = number >= 1000 ? 90_000 + number : 200 + number % 7 * 1500
        return Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 17) })
    }
}
