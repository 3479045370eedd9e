import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Reading on and on ends, whatever the cache held before, on a server that has come to rest.
@Suite struct FeedProgressTests {
    @Test(arguments: [SimulatedFeedServer.Order.decimal, .text])
    func `by id, asking for what is missing comes to the end`(order: SimulatedFeedServer.Order) throws {
        try play(rounds: 40, seed: 5000) { random in
            (FeedSetup.random(order, using: &random), historyLength: 40, asksForAll: false)
        }
    }

    @Test(arguments: [SimulatedFeedServer.Order.decimal, .text, .newestOnTop, .ranked])
    func `asking for everything anew reads the list of the server`(order: SimulatedFeedServer.Order) throws {
        try play(rounds: 40, seed: 6000) { random in
            var setup = FeedSetup.random(order, using: &random)
            setup.hasFaults = false
            // With a bound's own item in it a page holds one item less, and what is stored, however old, fills the reading.
            setup.rules.inclusive = []
            if !order.isByID, setup.shortPages == .proveNothing { setup.isEndSaid = true }
            // What an earlier answer to a ranked list has left is never concluded to be gone, and lies before the end.
            return (setup, historyLength: order == .ranked ? 0 : 40, asksForAll: true)
        }
    }

    @Test func `an inclusive bound does not hide the end of a list`() throws {
        let database = try HistoryDrive().database
        for paging in [Paging.byID(), .afterItem()] {
            for count in [1, 2, 44, 45] {
                try database.writeSync { db in
                    var setup = FeedSetup(order: paging.order == .byID(.decimal) ? .decimal : .newestOnTop)
                    setup.rules.inclusive = [.max]
                    let world = try FeedWorld(setup, name: "\(paging.fingerprint) \(count)", in: db)
                    try world.server.insert(1...count)
                    let walk = try Walk(world, limit: 20, asksForAll: false, in: db)
                    #expect(walk.read == world.server.ids)
                    #expect(walk.requests <= 4)
                }
            }
        }
    }

    private func play(
        rounds: UInt64, seed: UInt64,
        _ choice: (inout SplitMix64) -> (setup: FeedSetup, historyLength: Int, asksForAll: Bool)
    ) throws {
        let drive = try HistoryDrive()
        for seed in HistoryDrive.seeds(rounds: rounds, from: seed) {
            var random = SplitMix64(seed: seed)
            let (setup, length, asksForAll) = choice(&random)
            let history = FeedHistory.random(setup, length: length, using: &random)
            let limit = Int.random(in: 2...6, using: &random)
            let additions = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                FeedHistory.Step.change(.insert(Int.random(in: 0..<1000, using: &random)))
            }
            let failure = try drive.database.writeSync { db -> String? in
                let world = try FeedWorld(setup, name: "walk \(seed)", in: db)
                do {
                    for step in history.steps + additions { try world.take(step, in: db) }
                    let walk = try Walk(world, limit: limit, asksForAll: asksForAll, in: db)
                    try walk.check()
                    return nil
                } catch {
                    return "\(error)\n\(setup), limit \(limit)\n\(world.log.joined(separator: "\n"))".printable
                }
            }
            if let failure {
                Issue.record("seed \(seed): \(failure)")
                return
            }
        }
    }
}

/// A reader who scrolls to the end.
private struct Walk {
    private let world: FeedWorld
    private let limit: Int
    private let asksForAll: Bool
    private(set) var read: [ItemID] = []
    private(set) var requests = 0

    init(_ world: FeedWorld, limit: Int, asksForAll: Bool, in db: borrowing Connection) throws {
        self.world = world
        self.asksForAll = asksForAll
        self.limit = asksForAll ? min(limit, world.setup.rules.cap) : limit
        let bound = try world.server.ids.count + StoredFeedState(world.reader, in: db).items.count + 6
        var position = FeedPosition.newest
        var vainRequests = 0
        while true {
            var stretch = try world.reader.stretch(at: position, limit: self.limit, in: db)
            if asksForAll || !stretch.isComplete {
                let request = asksForAll ? stretch.whole : stretch.missing ?? stretch.whole
                try world.exchange(request, in: db)
                requests += 1
                stretch = try world.reader.stretch(at: position, limit: self.limit, in: db)
            }
            // By position, a bound that is gone is answered with an error; the app knows of one that is there.
            let shown = asksForAll ? stretch.items.prefix { world.server.ids.contains($0.id) } : stretch.items[...]
            read += shown.map(\.id)
            if stretch.isAtEnd { return }
            guard let last = shown.last else {
                // An empty answer over stored items has to come twice.
                vainRequests += 1
                if vainRequests > 1 { throw Violation("the same request for ever: \(stretch.whole.summary)") }
                continue
            }
            vainRequests = 0
            position = .older(than: last.id)
            if requests > bound { throw Violation("no end after \(requests) requests") }
        }
    }

    func check() throws {
        guard Set(read).count == read.count else { throw Violation("an item was read twice: \(read)") }
        guard asksForAll else { return }
        guard read == world.server.ids else { throw Violation("read \(read), and there are \(world.server.ids)") }
    }
}
