import Foundation
import LarderKit

/// The lists that are not paged by ids.
extension SampleAPI {
    /// The posts, each answer with a cursor to the next one.
    static func notes(_ request: ServerRequest, _ state: State) throws(TimelineQuery.Mistake) -> ServerResponse {
        let page = try page(of: state.posts, from: "cursor", request)
        let cursor = page.next.map { "\"\($0)\"" } ?? "null"
        var body = Data("{\"notes\":".utf8)
        body.append(contentsOf: page.posts)
        body.append(contentsOf: ",\"next_cursor\":\(cursor),\"has_more\":\(page.next != nil)}".utf8)
        return .sampleDocument(body, for: request, cacheControl: "no-cache", isWeak: true)
    }

    /// The posts, each answer with a Link to the next one.
    static func issues(_ request: ServerRequest, _ state: State) throws(TimelineQuery.Mistake) -> ServerResponse {
        let page = try page(of: state.posts, from: "after", request)
        var headers = HeaderFields()
        if let next = page.next {
            headers.append(name: "Link", value: "</issues?after=\(next)&limit=\(page.limit)>; rel=\"next\"")
        }
        return .sampleDocument(page.posts, for: request, headers: headers, cacheControl: "no-cache", isWeak: true)
    }

    /// Products, by the number of a page or by how many to leave out.
    static func products(_ request: ServerRequest) throws(TimelineQuery.Mistake) -> ServerResponse {
        let limit = try TimelineQuery.limit(request) ?? 20
        let page = try number("page", from: 1, request)
        let offset = try number("offset", from: 0, request)
        guard page == nil || offset == nil else {
            throw TimelineQuery.Mistake(explanation: "page and offset exclude each other")
        }
        let products = SampleProduct.all
        let pages = page.map { min($0 - 1, products.count) * limit }
        let body = SampleJSON.encode(Array(products.dropFirst(pages ?? offset ?? 0).prefix(limit)))
        return .sampleDocument(body, for: request, cacheControl: "max-age=60")
    }

    private struct Page {
        let posts: Data
        /// What leads to the next one; `nil` when there is none.
        let next: String?
        let limit: Int
    }

    /// Posts below the one that a token stands for, or the newest.
    private static func page(
        of posts: SamplePosts, from name: String, _ request: ServerRequest
    ) throws(TimelineQuery.Mistake) -> Page {
        let limit = try TimelineQuery.limit(request) ?? 20
        var end = posts.ids.count
        if let token = try TimelineQuery.value(name, request) {
            guard token.hasPrefix("p"), let id = UInt64(token.dropFirst(), radix: 36) else {
                throw TimelineQuery.Mistake(explanation: "\(name) must be one that this API gave")
            }
            end = posts.ids.partitioningIndex { $0 >= id }
        }
        let ids = posts.ids[..<end].suffix(limit)
        let next = ids.startIndex > 0 ? ids.first.map { "p" + String($0, radix: 36) } : nil
        return Page(posts: SampleJSON.array(ids.reversed().compactMap { posts[$0]?.json }), next: next, limit: limit)
    }

    private static func number(
        _ name: String, from lowest: Int, _ request: ServerRequest
    ) throws(TimelineQuery.Mistake) -> Int? {
        guard let text = try TimelineQuery.value(name, request) else { return nil }
        guard let number = Int(text), number >= lowest else {
            throw TimelineQuery.Mistake(explanation: "\(name) must be a whole number of at least \(lowest)")
        }
        return number
    }
}

/// A product of the sample list.
struct SampleProduct: Encodable, Hashable {
    let id: String
    let name: String
    let cents: Int

    static let all = (1...57).map { number in
        let food = SampleWords.foods[number * 4 % SampleWords.foods.count]
        let shop = SampleShop.names[number % SampleShop.names.count]
        return SampleProduct(id: "p\(number)", name: "\(food), \(shop)", cents: 90 + number * 35 % 800)
    }
}
