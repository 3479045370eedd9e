import Foundation
import LarderKit
import LarderTestKit

/// A feed of the mixed load, by how its server pages.
enum PantryFeed: String, Sendable, CaseIterable {
    /// By decimal ids, with every bound there is.
    case home
    /// By cursors, as raw answers with something around the items.
    case notes
    /// From items, whose ids do not compare.
    case issues
    /// By numbers, which shift as the list grows.
    case archive
    /// By cursors, and nothing is known of its order.
    case trends

    var paging: Paging {
        switch self {
        case .home: .byID(parameters: [.since, .min, .max])
        case .notes: .cursor()
        case .issues: .afterItem()
        case .archive: .pageNumber()
        case .trends: .cursor(order: .ranked)
        }
    }
}

/// What the server of a feed has, as a function of how many items it ever had: whoever knows that number knows the list,
/// in whichever process.
///
/// New items come on top. Some are deleted when a while has passed. None is ever changed.
struct PantryList: Sendable {
    let feed: PantryFeed
    /// How many items there ever were.
    let total: Int

    /// The id of an item by its number from 0: they grow, not by the same each time.
    static func id(_ number: Int) -> Int { 1000 + 3 * number + mix(number) % 3 }

    /// The number of the item with this id, if there may be one.
    static func number(_ id: Int) -> Int? {
        let number = (id - 1000) / 3
        return id >= 1000 && self.id(number) == id ? number : nil
    }

    /// Whether the item is one that gets deleted, and is by now.
    func isDeleted(_ number: Int) -> Bool { Self.mix(number &+ 7) % 9 == 0 && total > number + 25 }

    /// The ids that the server shows, newest first.
    var ids: [Int] { (0..<total).reversed().filter { !isDeleted($0) }.map { Self.id($0) } }

    func item(_ id: Int) -> FeedItem { FeedItem(id: "\(id)", text: text(id)) }

    func text(_ id: Int) -> String {
        Sample("\(feed.rawValue)/\(id)", version: id, size: 40 + Self.mix(id) % 600).filler
    }

    // MARK: Answering

    func page(for request: PageRequest) -> Page<FeedItem> {
        let (ids, rest) = answer(request)
        var page = Page(ids.map { item($0) })
        switch feed {
        case .home, .issues, .archive: break
        case .notes, .trends: page.follows = rest.map { .more(.cursor("\($0)")) } ?? .nothing
        }
        return page
    }

    func rawAnswer(for request: PageRequest) -> RawAnswer {
        let (ids, rest) = answer(request)
        let items = ids.map { #"{"id":"\#($0)","text":"\#(text($0))"}"# }.joined(separator: ", ")
        let next = rest.map { "\"\($0)\"" } ?? "null"
        var headers = HeaderFields()
        headers.append(name: "Content-Type", value: "application/json")
        let body = #"{"items": [\#(items)], "total": \#(total), "next_cursor": \#(next)}"#
        return RawAnswer(status: 200, headers: headers, body: Data(body.utf8))
    }

    /// The ids asked for, and the last of them if more follow it.
    private func answer(_ request: PageRequest) -> (ids: [Int], rest: Int?) {
        var ids = ids
        if let cursor = request.cursor.flatMap({ Int($0) }) { ids.removeAll { $0 >= cursor } }
        if let page = feed == .archive ? request.pageNumber : nil {
            ids = Array(ids.dropFirst((page - 1) * request.limit))
        }
        if let above = (request.since ?? request.min).flatMap({ Int($0) }) { ids.removeAll { $0 <= above } }
        if let below = request.max.flatMap({ Int($0) }) { ids.removeAll { $0 >= below } }
        let isFromBelow = request.countedFrom == .oldest
        let shown = Array(isFromBelow ? ids.suffix(request.limit) : ids.prefix(request.limit))
        return (shown, shown.count < ids.count ? shown.last : nil)
    }

    /// A number made of another that looks like one by lot.
    static func mix(_ number: Int) -> Int {
        var generator = SplitMix64(seed: UInt64(bitPattern: Int64(number)))
        return Int(generator.next() >> 2)
    }
}
