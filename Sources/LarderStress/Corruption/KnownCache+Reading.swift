import Foundation
import LarderKit
import LarderTestKit

/// What a cache served, held against what was stored in it.
struct ServedContents: Sendable {
    var values = 0
    var items = 0
    var gaps = 0
    /// What could not be read, and was said so.
    var errors = 0
    /// What was served and is not what was stored.
    var wrong: [String] = []
    /// Where items stand as neighbours that were none.
    var holes: [String] = []
}

extension KnownCache {
    /// Reads everything, asking nobody.
    func read(_ larder: Larder) -> ServedContents {
        var served = ServedContents()
        for number in Array(0..<Self.values) + Self.largeNumbers {
            read(value(number, in: larder), "value \(number)", expecting: Self.body(number), &served)
        }
        for number in Self.values..<Self.values + Self.removed {
            read(value(number, in: larder), "removed value \(number)", expecting: nil, &served)
        }
        read(document(in: larder), "document", expecting: Self.body(1), &served)
        for (feed, name) in zip(feeds(in: larder), ["home", "list"]) { read(feed, name, &served) }
        return served
    }

    private func read(
        _ resource: Resource<Data>, _ name: String, expecting body: Data?, _ served: inout ServedContents
    ) {
        do {
            guard let reading = try resource.peek() else { return }
            if reading.value != body { served.wrong.append("\(name) is another one") }
            served.values += 1
        } catch {
            served.errors += 1
        }
    }

    private func read(_ feed: Feed<Item>, _ name: String, _ served: inout ServedContents) {
        func number(_ id: ItemID) -> Int { Int(id.rawValue.split(separator: " ").last ?? "") ?? -1 }
        do {
            guard let timeline = try feed.timeline()?.value else { return }
            var above: Int?
            for index in timeline.indices {
                switch try timeline.row(at: index) {
                case .item(let id, let item):
                    if item.text != Self.text(number(id)) { served.wrong.append("\(name): \(id) is another one") }
                    if let above, above - 1 != number(id) {
                        served.holes.append("\(name): \(id) stands below \(above) as its neighbour")
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
            if let page = try feed.peek(limit: 1000), page.value.isComplete, page.warnings.isEmpty,
                page.value.ids.count != Self.items
            {
                served.holes.append("\(name): complete with \(page.value.ids.count) items")
            }
        } catch {
            served.errors += 1
        }
    }
}
