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
