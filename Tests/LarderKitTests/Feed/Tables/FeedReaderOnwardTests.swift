import LarderTestKit
import Testing

@testable import LarderKit

/// What is asked for to read on and to fill gaps.
@Suite struct FeedReaderOnwardTests {
    typealias Item = SimulatedFeedServer.Item

    private func feed(_ server: SimulatedFeedServer, _ paging: Paging) -> Feed<Item> {
        Larder.inMemory(environment: TestWorld().environment).common
            .feed("home", paging: paging, fetch: server.fetchPage)
    }

    /// A feed by id with a gap between 50 and 10.
    private func gapped(_ parameters: Set<Paging.Parameter>) async throws -> (Feed<Item>, SimulatedFeedServer) {
        let server = try SimulatedFeedServer(.decimal, holding: 1...10)
        let feed = feed(server, .byID(parameters: parameters))
        try await feed.refresh(limit: 5)
        try server.insert(11...54)
        try await feed.refresh(limit: 5)
        #expect(try feed.gaps() == [Gap(above: "50", below: "10")])
        server.clearLog()
        return (feed, server)
    }

    @Test func `a gap is filled from above with a bound that lets its lower item show`() async throws {
        let (feed, server) = try await gapped([.since, .max])
        try await feed.fill(Gap(above: "50", below: "10"), limit: 7)
        #expect(server.requests == [PageRequest(above: "9", below: "50", limit: 7)])
        #expect(try feed.gaps() == [Gap(above: "43", below: "10")])
    }

    @Test func `a gap is filled from below with a bound that lets its upper item show`() async throws {
        let (feed, server) = try await gapped([.min, .max])
        try await feed.fill(Gap(above: "50", below: "10"), from: .older, limit: 7)
        #expect(server.requests == [PageRequest(above: "10", below: "51", countedFrom: .oldest, limit: 7)])
        #expect(try feed.gaps() == [Gap(above: "50", below: "17")])
    }

    @Test func `a side the server cannot be asked from gives way to the other`() async throws {
        let (feed, server) = try await gapped([.max])
        try await feed.fill(Gap(above: "50", below: "10"), from: .older, limit: 7)
        #expect(server.requests == [PageRequest(below: "50", limit: 7)])
    }

    @Test func `a gap that is none costs no request`() async throws {
        let (feed, server) = try await gapped([.since, .max])
        let change = try await feed.fill(Gap(above: "54", below: "51"))
        #expect(change.isEmpty && change.remaining == nil && server.requests == [])
    }

    @Test func `a run without an edge is reached from the edge above it`() async throws {
        let server = try SimulatedFeedServer(
            .newestOnTop, holding: 1...30, rules: .init { $0.continuations = .offset })
        let feed = feed(server, .offset())
        try await feed.refresh(limit: 5)
        try await feed.trim(between: "30", and: "27")
        try server.insert(31...60)
        try await feed.refresh(limit: 5)
        var steps = 0
        while let gap = try feed.gaps().first, steps < 30 {
            try await feed.fill(gap, limit: 5)
            steps += 1
        }
        while try await !feed.loadOlder(limit: 5).isAtEnd, steps < 60 { steps += 1 }
        let shown = try feed.timeline()?.value.compactMap { row in
            if case .item(let id, _) = row { id } else { nil }
        }
        #expect(shown == server.ids && steps < 30)
    }

    @Test func `a page that ends with the item gone on from proves no end`() async throws {
        // Three new items have come, and the server gives no more than three: the second page is the first as it was.
        let server = try SimulatedFeedServer(
            .newestOnTop, holding: 1...9,
            rules: .init {
                $0.continuations = .pageNumber(first: 1)
                $0.cap = 3
            })
        let feed = feed(server, .pageNumber())
        try await feed.refresh(limit: 6)
        try await feed.loadOlder(limit: 6)
        try server.insert(10...12)
        let change = try await feed.page(.older(than: "7"), limit: 6, policy: .networkOnly)
        #expect(!change.value.isAtEnd)
        #expect(try feed.timeline()?.value.count == 6)
    }

    @Test(arguments: [Paging.cursor(), .cursor(order: .ranked)])
    func `a server that leads in circles is given up`(paging: Paging) async throws {
        for pages in 1...3 {
            let order: SimulatedFeedServer.Order = paging.order == .byPosition(.ranked) ? .ranked : .newestOnTop
            let server = try SimulatedFeedServer(order, holding: 1...9, rules: .init { $0.continuations = .cursor })
            let feed = feed(server, paging)
            server.inject(.loop(pages: pages), times: .max)
            var isStalled = false
            for _ in 0..<40 where !isStalled {
                isStalled = try await feed.loadOlder(limit: 3).warnings.contains {
                    if case .stalled = $0 { true } else { false }
                }
            }
            let requests = server.requests.count
            #expect(isStalled && requests < 30, "round \(pages)")
            try await feed.loadOlder(limit: 3)
            #expect(server.requests.count == requests)
        }
    }

    @Test func `the shift of offsets follows what comes on top`() async throws {
        let server = try SimulatedFeedServer(
            .newestOnTop, holding: 1...30, rules: .init { $0.continuations = .offset })
        let feed = feed(server, .offset())
        try await feed.refresh(limit: 10)
        try server.insert(31...33)
        try await feed.refresh(limit: 10)
        server.clearLog()
        let change = try await feed.loadOlder(limit: 5)
        #expect(server.requests.map(\.offset) == [12] && server.requests.map(\.limit) == [6])
        #expect(change.inserted == ["20", "19", "18", "17", "16"])
        #expect(try feed.gaps() == [])
    }
}
