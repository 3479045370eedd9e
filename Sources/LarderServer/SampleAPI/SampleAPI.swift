package import Foundation
import LarderKit
import Synchronization

/// A small API to try Larder against: a document of shops, and a timeline that grows.
///
/// Everything but the sockets: a request and the time go in, an answer comes out. All content is invented, and the same
/// for the same ``Options`` and the same calls.
///
/// - `GET /`: what there is.
/// - `GET /shops`: all shops as one array. Strong ETag, fresh for a minute.
/// - `GET /shops/{id}`: one of them.
/// - `GET /timeline?since_id=&min_id=&max_id=&limit=`: posts, newest first (``TimelineQuery``). Weak ETag.
/// - `GET /posts/{id}`: one of them, 404 once it is deleted.
/// - `GET /notes?cursor=&limit=`: the posts by a cursor in the body, within an object.
/// - `GET /issues?after=&limit=`: the posts by a Link to the next page.
/// - `GET /products?page=&offset=&limit=`: a list that stays as it is, by page number or offset.
///
/// It may be asked from several threads at once; each answer shows the state of one moment.
package final class SampleAPI: Sendable {
    package struct Options: Sendable, Hashable {
        /// How many posts there are at the start.
        package var posts: Int
        /// The same seed gives the same content.
        package var seed: UInt64
        /// A new post appears each time this much time has passed since the start; `nil` for none.
        package var newEvery: Duration?
        /// Each n-th request is answered with 503 and `Retry-After`; `nil` for none, 1 for all.
        package var failEvery: Int?
        /// How long every answer takes. Kept by whoever serves, see ``serve(port:now:observe:)``.
        package var latency: Duration?

        package init(
            posts: Int = 200, seed: UInt64 = 1, newEvery: Duration? = nil, failEvery: Int? = nil,
            latency: Duration? = nil
        ) {
            self.posts = posts
            self.seed = seed
            self.newEvery = newEvery
            self.failEvery = failEvery
            self.latency = latency
        }
    }

    let options: Options
    let state: Mutex<State>

    /// - Parameter start: The time from which ``Options/newEvery`` counts; the first posts are older than it.
    package init(_ options: Options = Options(), start: Date) {
        self.options = options
        state = Mutex(State(options, start: start))
    }

    /// Answers `request` as of `now`, and records it.
    package func answer(_ request: ServerRequest, now: Date) -> ServerResponse {
        answerAndRecord(request, now: now).response
    }

    func answerAndRecord(_ request: ServerRequest, now: Date) -> (response: ServerResponse, record: RequestRecord) {
        state.withLock { state in
            state.count += 1
            if let every = options.failEvery, state.count.isMultiple(of: every) {
                return (.sampleOutage, state.record(request, .sampleOutage))
            }
            state.posts.grow(every: options.newEvery, until: now)
            let response = Self.route(request, state)
            return (response, state.record(request, response))
        }
    }

    /// Publishes `count` posts at once, and gives their ids, oldest first.
    @discardableResult
    package func publish(_ count: Int, now: Date) -> [String] {
        state.withLock { state in
            (0..<max(count, 0)).map { _ in String(state.posts.publish(at: now)) }
        }
    }

    /// Deletes a post. Whether there was one.
    @discardableResult
    package func delete(_ id: String) -> Bool {
        state.withLock { state in
            UInt64(id).map { state.posts.delete($0) } ?? false
        }
    }

    /// Changes the shops' document, and with it its ETag: the shop at hand gets new opening hours.
    package func reviseShops() {
        state.withLock { $0.shopRevision += 1 }
    }

    struct State {
        var posts: SamplePosts
        var shopRevision = 0
        /// All requests so far.
        var count = 0
        var requests = RequestLog()

        init(_ options: Options, start: Date) {
            posts = SamplePosts(count: options.posts, seed: options.seed, start: start)
        }

        mutating func record(_ request: ServerRequest, _ response: ServerResponse) -> RequestRecord {
            let hasBody = request.method != "HEAD" && response.status != 304
            let record = RequestRecord(
                number: count, method: request.method, target: request.target, path: request.path,
                status: response.status, bytes: hasBody ? response.body.count : 0)
            requests.append(record)
            return record
        }
    }
}
