import CBaseline
import Foundation
import LarderKit

/// A page of 20 as Swift values, beside `JSONDecoder` alone on bytes that are at hand.
struct DecodeWork: Work {
    static let name = "decode"
    static let summary = "a page of 20 decoded, beside JSONDecoder alone"

    let bench: Bench

    func run() async throws {
        let posts = try await bench.library.posts(10_000)
        guard let bodies = try posts.ours.feed.peek()?.value.items else { throw BenchError("nothing is stored") }
        let decoder = JSONDecoder()
        var kept: [Post] = []
        let alone = Side { _ in kept = try bodies.map { try decoder.decode(Post.self, from: $0) } }

        let whole = feed(of: Post.self, posts)
        var page: Reading<FeedPage<Post>>?
        let all = try await bench.meter.compare(
            "decode", rounds: 11, runs: 20, ours: Side { _ in page = try whole.peek() }, raw: alone)
        guard page?.value.items.count ?? 20 == 20 else { throw BenchError("the page does not decode") }
        if let all { bench.report.add(.p50("page of 20 decoded (raw: JSONDecoder)", all, target: 1.05)) }

        let listed = feed(of: ListedPost.self, posts)
        var list: Reading<FeedPage<ListedPost>>?
        let some = try await bench.meter.compare(
            "decode-list", rounds: 11, runs: 20, ours: Side { _ in list = try listed.peek() }, raw: alone)
        if let some { bench.report.add(.p50("page of 20, only the 8 fields of a list", some, target: 0.3)) }

        var few: [ListedPost] = []
        let aloneFew = Side { _ in few = try bodies.map { try decoder.decode(ListedPost.self, from: $0) } }
        let same = try await bench.meter.compare(
            "decode-list-same", rounds: 11, runs: 20, ours: Side { _ in list = try listed.peek() }, raw: aloneFew)
        if let same { bench.report.add(.p50("  beside JSONDecoder for the same 8 fields", same, target: 1.05)) }
        withExtendedLifetime((kept, page, list, few)) {}
    }

    private func feed<Item: Decodable & Sendable>(of type: Item.Type, _ posts: Library.Posts) -> Feed<Item> {
        posts.ours.larder.common.feed("home", json: JSONItems(), paging: .byID) { _ in RawAnswer(body: Data()) }
    }
}
