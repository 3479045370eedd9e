import LarderKit
import LarderTestKit
import Testing

/// Random lists and requests against the rules said in one line each.
struct SimulatedFeedServerPropertyTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `by id, a page is what filtering the list by numbers gives`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let server = SimulatedFeedServer(.decimal, rules: .init { $0.cap = 8 })
        for _ in 0..<100 {
            let number = Int.random(in: 0...40, using: &random)
            if server.ids.contains(ItemID(number)) {
                try server.delete(ItemID(number))
            } else {
                try server.insert(ItemID(number))
            }
            let above = Bool.random(using: &random) ? Int.random(in: 0...40, using: &random) : nil
            let below = Bool.random(using: &random) ? Int.random(in: 0...40, using: &random) : nil
            let end = above != nil && Bool.random(using: &random) ? PageRequest.End.oldest : .newest
            let limit = Int.random(in: 1...12, using: &random)
            let answer = server.answer(
                PageRequest(
                    above: above.map { ItemID($0) }, below: below.map { ItemID($0) }, countedFrom: end, limit: limit))

            let numbers = server.ids(at: answer.version).compactMap { Int($0.rawValue) }
            #expect(numbers == numbers.sorted(by: >))
            let interval = numbers.filter { $0 > above ?? -1 && $0 < below ?? .max }
            let page = end == .newest ? interval.prefix(min(limit, 8)) : interval.suffix(min(limit, 8))
            #expect(answer.ids == page.map { ItemID($0) })
            #expect(answer.hasMore == (page.count < interval.count))
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `by position, walking down page by page reads the whole list once`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let ids = (0..<Int.random(in: 1...60, using: &random)).map { ItemID($0) }.shuffled(using: &random)
        let server = try SimulatedFeedServer(.ranked, holding: ids)
        var read: [ItemID] = []
        var answer: SimulatedFeedServer.Answer
        repeat {
            answer = server.answer(PageRequest(below: read.last, limit: Int.random(in: 1...9, using: &random)))
            read += answer.ids
        } while answer.hasMore && read.count < ids.count
        #expect(!answer.hasMore)
        #expect(read == ids)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `by position, walking up page by page reads all above once`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let ids = (0..<Int.random(in: 2...60, using: &random)).map { ItemID($0) }.shuffled(using: &random)
        let server = try SimulatedFeedServer(.newestOnTop, holding: ids)
        let start = Int.random(in: 1..<ids.count, using: &random)
        var read: ArraySlice<ItemID> = ids[start...]
        var answer: SimulatedFeedServer.Answer
        repeat {
            let limit = Int.random(in: 1...9, using: &random)
            answer = server.answer(PageRequest(above: read.first, countedFrom: .oldest, limit: limit))
            read = answer.ids + read
        } while answer.hasMore && read.count < ids.count
        #expect(!answer.hasMore)
        #expect(Array(read) == ids)
    }
}

/// Walks by continuations while the list changes.
extension SimulatedFeedServerPropertyTests {
    typealias Rules = SimulatedFeedServer.Rules

    /// One random change: new items on top, anything gone, edited or hidden.
    private func change(_ server: SimulatedFeedServer, _ new: inout Int, using random: inout SplitMix64) throws {
        let id = server.ids.randomElement(using: &random)
        switch (Int.random(in: 0..<4, using: &random), id) {
        case (0, let id?): try server.delete(id)
        case (1, let id?): try server.edit(id, text: "changed")
        case (2, let id?): try server.hide(id)
        default:
            new += 1
            try server.insert(ItemID(new))
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>, [Rules.Continuations.cursor, .link])
    func `a walk by what is given reads whatever stays, once, and nothing that came later`(
        seed: UInt64, by continuations: Rules.Continuations
    ) throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 0...60, using: &random)
        let server = try SimulatedFeedServer(
            .newestOnTop, holding: (0..<count).map { ItemID($0) }.shuffled(using: &random),
            rules: .init { $0.continuations = continuations })
        var new = 1_000
        for _ in 0..<20 { try change(server, &new, using: &random) }
        let start = server.ids

        var read: [ItemID] = []
        var next: Continuation?
        var requests = 0
        repeat {
            let limit = Int.random(in: 1...9, using: &random)
            let answer = server.answer(PageRequest(limit: limit, continuation: next))
            #expect(answer.items.allSatisfy(server.list(at: answer.version).contains))
            #expect(answer.hasMore == (answer.next != nil))
            read += answer.ids
            next = answer.next
            requests += 1
            for _ in 0..<Int.random(in: 0...2, using: &random) { try change(server, &new, using: &random) }
        } while next != nil && requests < 200
        #expect(next == nil)
        #expect(Set(read).count == read.count)
        #expect(read == start.filter(Set(read).contains))
        #expect(Set(read).isSuperset(of: Set(start).intersection(server.ids)))
    }

    @Test(
        arguments: 0..<20 as Range<UInt64>, [Rules.Continuations.pageNumber(first: 0), .pageNumber(first: 1), .offset])
    func `a walk by counting reads the whole list once while nothing changes`(
        seed: UInt64, by continuations: Rules.Continuations
    ) throws {
        var random = SplitMix64(seed: seed)
        let ids = (0..<Int.random(in: 0...60, using: &random)).map { ItemID($0) }.shuffled(using: &random)
        let server = try SimulatedFeedServer(
            .ranked, holding: ids, rules: .init { $0.continuations = continuations })
        let limit = Int.random(in: 1...9, using: &random)
        var read: [ItemID] = []
        var answer = server.answer(PageRequest(limit: limit))
        var pages = 0
        while !answer.items.isEmpty, pages < 100 {
            read += answer.ids
            pages += 1
            let next =
                if case .pageNumber(let first) = continuations {
                    Continuation.page(first + pages)
                } else {
                    Continuation.offset(read.count)
                }
            #expect(answer.hasMore == (read.count < ids.count))
            answer = server.answer(PageRequest(limit: limit, continuation: next))
        }
        #expect(read == ids)
    }
}
