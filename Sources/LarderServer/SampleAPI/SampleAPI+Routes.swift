import Foundation
import LarderKit

extension SampleAPI {
    static func route(_ request: ServerRequest, _ state: State) -> ServerResponse {
        guard ["GET", "HEAD"].contains(request.method) else {
            return .sampleError(405, "this API is read with GET and HEAD only", headers: ["Allow": "GET, HEAD"])
        }
        let parts = request.path.split(separator: "/").map(String.init)
        switch (parts.first, parts.count) {
        case (nil, _):
            return .sampleDocument(SampleIndex.json, for: request, cacheControl: "max-age=3600")
        case ("shops", 1):
            let shops = SampleShop.all(revision: state.shopRevision)
            return .sampleDocument(SampleJSON.encode(shops), for: request, cacheControl: "max-age=60")
        case ("shops", 2):
            let shops = SampleShop.all(revision: state.shopRevision)
            guard let shop = shops.first(where: { $0.id == parts[1] }) else {
                return .sampleError(404, "there is no such shop; GET /shops lists them")
            }
            return .sampleDocument(SampleJSON.encode(shop), for: request, cacheControl: "max-age=60")
        case ("posts", 2):
            guard let post = UInt64(parts[1]).flatMap({ state.posts[$0] }) else {
                return .sampleError(404, "there is no such post, or no longer")
            }
            return .sampleDocument(post.json, for: request, cacheControl: "max-age=60")
        case ("timeline", 1):
            return answer { () throws(TimelineQuery.Mistake) in try timeline(request, state) }
        case ("notes", 1):
            return answer { () throws(TimelineQuery.Mistake) in try notes(request, state) }
        case ("issues", 1):
            return answer { () throws(TimelineQuery.Mistake) in try issues(request, state) }
        case ("products", 1):
            return answer { () throws(TimelineQuery.Mistake) in try products(request) }
        default:
            return .sampleError(404, "there is nothing here; GET / says what there is")
        }
    }

    private static func answer(
        _ list: () throws(TimelineQuery.Mistake) -> ServerResponse
    ) -> ServerResponse {
        do {
            return try list()
        } catch {
            return .sampleError(400, error.explanation)
        }
    }

    private static func timeline(
        _ request: ServerRequest, _ state: State
    ) throws(TimelineQuery.Mistake) -> ServerResponse {
        let query = try TimelineQuery(request)
        let page = query.page(of: state.posts.ids)
        let body = SampleJSON.array(page.ids.compactMap { state.posts[$0]?.json })
        var headers = HeaderFields()
        if let link = page.link { headers.append(name: "Link", value: link) }
        return .sampleDocument(body, for: request, headers: headers, cacheControl: "no-cache", isWeak: true)
    }
}

/// What `GET /` teaches.
private enum SampleIndex {
    static let json = Data(
        """
        {
          "name": "Larder sample API",
          "about": "Invented shops, posts and products, to try an offline cache against.",
          "endpoints": {
            "/shops": "all shops, one document; ETag, max-age=60",
            "/shops/{id}": "one shop",
            "/timeline": "posts, newest first; ETag, Link with rel=next (older) and rel=prev (newer)",
            "/posts/{id}": "one post",
            "/notes": "the posts by cursor: an object with notes, next_cursor and has_more; ?cursor=",
            "/issues": "the posts by Link with rel=next alone",
            "/products": "a fixed list by page number (?page=, from 1) or offset (?offset=)"
          },
          "timeline_parameters": {
            "since_id": "the newest posts above this id",
            "min_id": "the next posts above this id",
            "max_id": "posts below this id",
            "limit": "1 to 40 posts, 20 by default; more than 40 gives 40; of the other lists, too"
          },
          "examples": ["/timeline", "/timeline?limit=5", "/shops/1", "/notes?limit=5", "/issues", "/products?page=2"]
        }

        """.utf8)
}
