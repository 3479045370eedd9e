import Foundation
import LarderKit
import LarderTestKit
import Testing

/// A cache whose contents are known, in a folder of its own, to be damaged.
final class DamagedCache: Sendable {
    typealias Item = SimulatedFeedServer.Item

    let folder: URL
    let world = TestWorld()
    let server: SimulatedFeedServer
    let list: SimulatedFeedServer

    static let values = 120
    static let blobs = 4
    static let items = 300

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "larder-repair-\(UUID().uuidString)")
        server = SimulatedFeedServer(.decimal)
        list = SimulatedFeedServer(.newestOnTop)
        for number in 1...Self.items {
            _ = try server.insert(ItemID(number), text: Self.text(number))
            _ = try list.insert(ItemID("post \(number)"), text: Self.text(number))
        }
        let larder = try open()
        for number in 0..<Self.values { try await resource(number, in: larder).store(Self.body(number)) }
        for number in 0..<Self.blobs { try await resource(1000 + number, in: larder).store(Self.body(1000 + number)) }
        try await larder.common.resource(
            "document", options: ResourceOptions(storage: .files), codec: .raw, fetch: Self.noFetch
        ).store(Self.body(7))
        for feed in feeds(in: larder) {
            _ = try await feed.page(limit: 100)
            while try await !feed.loadOlder(limit: 100).inserted.isEmpty {}
        }
        larder.close()
    }

    deinit {
        // Nothing depends on it.
        try? FileManager.default.removeItem(at: folder)
    }

    func open(_ options: LarderOptions = LarderOptions(damage: .refuse)) throws -> Larder {
        try Larder(.folder(folder), options: options, environment: world.environment)
    }

    static let noFetch: @Sendable () async throws -> Data = { throw FetchFailure(.offline, "no network") }

    func resource(_ number: Int, in larder: Larder) -> Resource<Data> {
        let partition = number % 2 == 0 ? larder.common : larder.partition("anna")
        return partition.resource("value \(number)", codec: .raw, fetch: Self.noFetch)
    }

    func feeds(in larder: Larder) -> [Feed<Item>] {
        [
            larder.common.feed("home", paging: .byID(), fetch: server.fetchPage),
            larder.partition("anna").feed("list", paging: .afterItem(), fetch: list.fetchPage),
        ]
    }

    static func text(_ number: Int) -> String {
        "item \(number) " + String(repeating: "ab\(number % 10)", count: 60 + number % 50)
    }

    static func body(_ number: Int) -> Data {
        let size = number >= 1000 ? 150_000 + number : 300 + number % 7 * 900
        return Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 17) })
    }
}

/// What a cache serves, every byte of it held against what was stored.
struct Served: Equatable {
    var values = 0
    var items = 0
    var gaps = 0
    var errors = 0
}

extension DamagedCache {
    /// Reads everything, asking nobody. Wrong bytes, and a hole that is not told, are issues of the test.
    func readAll(_ options: LarderOptions = LarderOptions(damage: .refuse)) throws -> Served {
        let larder = try open(options)
        defer { larder.close() }
        return readAll(larder)
    }

    func readAll(_ larder: Larder) -> Served {
        var served = Served()
        for number in Array(0..<Self.values) + Array(1000..<1000 + Self.blobs) {
            do {
                guard let reading = try resource(number, in: larder).peek() else { continue }
                if reading.value != Self.body(number) { Issue.record("value \(number) is another one") }
                served.values += 1
            } catch {
                served.errors += 1
            }
        }
        for (feed, place) in zip(feeds(in: larder), [1, 2]) { read(feed, place, &served) }
        return served
    }

    private func read(_ feed: Feed<Item>, _ place: Int, _ served: inout Served) {
        func number(_ id: ItemID) -> Int { Int(id.rawValue.replacing("post ", with: "")) ?? -1 }
        do {
            guard let timeline = try feed.timeline()?.value else { return }
            var above: Int?
            for row in timeline {
                switch row {
                case .item(let id, let item):
                    if item.text != Self.text(number(id)) {
                        Issue.record("item \(id) of feed \(place) is another one")
                    }
                    if let above, above - 1 != number(id) {
                        Issue.record("feed \(place): \(id) stands below \(above) as its neighbour")
                    }
                    above = number(id)
                    served.items += 1
                case .undecodable(let id):
                    above = number(id)
                    served.errors += 1
                case .gap:
                    above = nil
                    served.gaps += 1
                case .vanished: served.errors += 1
                }
            }
            if let page = try feed.peek(limit: 1000), page.value.isComplete, page.warnings.isEmpty {
                #expect(page.value.ids.count == Self.items, "complete without all items")
            }
        } catch {
            served.errors += 1
        }
    }
}
