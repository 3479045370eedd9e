import Foundation
import LarderKit
import LarderSQLite
import LarderTestKit

/// All that a pantry shows: what is stored, as an app gets to see it.
struct PantryState: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        /// 0 is none.
        case version(Int)
        case unreadable(Reason)
        case wrong(String)
    }

    struct Reason: Sendable, Hashable {
        let text: String
        let isDamage: Bool
    }

    enum Row: Sendable, Hashable {
        /// Without a text where it cannot be read.
        case item(Int, String?)
        case gap

        var id: Int? { if case .item(let id, _) = self { id } else { nil } }
    }

    struct Feed: Sendable, Hashable {
        var rows: [Row] = []
        var isAtEnd = false
    }

    private(set) var values: [String: Value] = [:]
    private(set) var feeds: [PantryFeed: Feed] = [:]
    /// What is wrong by itself.
    private(set) var troubles: [String] = []

    init(values: [String: Value], feeds: [PantryFeed: Feed]) {
        self.values = values
        self.feeds = feeds
    }

    /// Reads all there is. Asks no server.
    init(of larder: Larder) {
        let pantry = Pantry(larder)
        for place in PantryPlace.all { values["\(place)"] = Self.value(of: pantry.resource(place), at: "\(place)") }
        for spec in PantryFeed.allCases {
            do { feeds[spec] = try Self.feed(pantry.feed(spec), &troubles) } catch {
                troubles.append("\(spec) cannot be read: \(error)")
            }
        }
        do {
            let words = try larder.read { db in try db.query("PRAGMA integrity_check") { try $0.text(0) } }
            if words != ["ok"] { troubles.append("the database is not sound: \(words.prefix(3))") }
        } catch {
            troubles.append("the database cannot be checked: \(error)")
        }
    }

    private static func value(of resource: Resource<Sample>, at place: String) -> Value {
        do {
            guard let sample = try resource.peek()?.value else { return .version(0) }
            guard sample.place == place else { return .wrong("a value of \(sample.place)") }
            return sample.isWhole ? .version(sample.version) : .wrong("half of version \(sample.version)")
        } catch {
            guard case .storage(let trouble) = error else {
                return .unreadable(Reason(text: "\(error)", isDamage: false))
            }
            return .unreadable(Reason(text: "\(trouble)", isDamage: trouble.kind == .corrupt))
        }
    }

    private static func feed(
        _ feed: LarderKit.Feed<FeedItem>, _ troubles: inout [String]
    ) throws(LarderError) -> Feed {
        guard let timeline = try feed.timeline()?.value else { return Feed() }
        var found = Feed(isAtEnd: timeline.isAtEnd)
        for index in timeline.indices {
            switch try timeline.row(at: index) {
            case .gap: found.rows.append(.gap)
            case .item(let id, let item):
                guard let number = Int(id.rawValue) else {
                    troubles.append("an item has the id \(id)")
                    continue
                }
                found.rows.append(.item(number, item.text))
            case .undecodable(let id): troubles.append("an item cannot be decoded: \(id)")
            case .vanished(let id): troubles.append("an item has vanished while it was read: \(id)")
            }
        }
        return found
    }
}
