import LarderKit
import LarderTestKit

typealias FeedItem = SimulatedFeedServer.Item

/// What is always the same for one feed.
enum FeedSpec: String, Sendable, CaseIterable {
    /// By decimal ids, as typed pages.
    case timeline
    /// By cursors, as raw answers.
    case notes
    /// From items, whose ids do not compare.
    case issues

    var name: String { "feed/\(rawValue)" }

    var paging: Paging {
        switch self {
        case .timeline: .byID(parameters: [.since, .min, .max])
        case .notes: .cursor()
        case .issues: .afterItem()
        }
    }

    fileprivate var order: SimulatedFeedServer.Order { self == .timeline ? .decimal : .newestOnTop }
}

/// The server of one feed for one sign-in: the text of each item names the owner.
final class ServedFeed: Sendable {
    let spec: FeedSpec
    let owner: Owner
    let server: SimulatedFeedServer

    init(_ spec: FeedSpec, of owner: Owner) throws {
        self.spec = spec
        self.owner = owner
        let isByCursor = spec == .notes
        server = SimulatedFeedServer(
            spec.order,
            rules: .init { rules in
                rules.continuations = isByCursor ? .cursor : .none
                rules.cursorLife = isByCursor ? .changes(20, status: 410) : .unlimited
            })
        for number in 100..<140 { try insert(number) }
    }

    private func insert(_ number: Int) throws {
        try server.insert(ItemID(number), text: "\(owner)|\(spec.name)|\(number)")
    }

    /// The list changes a little, as lists do.
    func change(_ dice: inout Dice) {
        let ids = server.ids(at: server.version)
        let highest = ids.compactMap { Int($0.rawValue) }.max() ?? 100
        // What does not fit (an item that has gone meanwhile) is left out.
        switch dice.below(4) {
        case 0 where ids.count > 20:
            _ = try? server.delete(dice.pick(ids))
        case 1 where !ids.isEmpty:
            let id = dice.pick(ids)
            _ = try? server.edit(id, text: "\(owner)|\(spec.name)|\(id) edited \(dice.below(1000))")
        default:
            try? insert(highest + 1)
        }
    }

    /// The next answer goes wrong.
    func spoil(_ dice: inout Dice) {
        server.inject(dice.pick([.duplicate, .unsorted, .short(by: 2), .empty, .status(500), .oversize(by: 3)]))
    }
}
