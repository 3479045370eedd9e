import LarderTestKit
import Testing

@testable import LarderKit

struct SimulatedFeedServerValidatorTests {
    typealias Rules = SimulatedFeedServer.Rules

    static let all = [Rules.Continuations.none, .cursor, .link, .pageNumber(first: 1), .offset]

    private func request(limit: Int = 3, _ next: Continuation? = nil, unless etag: String?) -> PageRequest {
        var request = PageRequest(limit: limit, continuation: next)
        request.validators = Validators(etag: etag)
        return request
    }

    private func server(by continuations: Rules.Continuations) throws -> SimulatedFeedServer {
        try SimulatedFeedServer(.newestOnTop, holding: 1...9, rules: .init { $0.continuations = continuations })
    }

    @Test(arguments: all)
    func `a page that has not changed is not sent again`(by continuations: Rules.Continuations) throws {
        let server = try server(by: continuations)
        let etag = try #require(server.answer(PageRequest(limit: 3)).etag)
        let again = server.answer(request(unless: etag))
        #expect(again.status == 304)
        #expect(again.items == [])
        #expect(again.follows == .unchanged)
        #expect(again.etag == etag)
        #expect(again.hasMore)

        let page = try server.page(for: request(unless: etag))
        #expect(page.follows == .unchanged)
        #expect(page.items == [])

        let raw = server.rawAnswer(for: request(unless: etag))
        #expect(raw.status == 304)
        #expect(raw.body.isEmpty)
        #expect(raw.headers["ETag"] == etag)
        #expect(raw.headers["Link"] == nil)
        #expect(raw.headers["Content-Type"] == nil)
    }

    @Test(arguments: all)
    func `a page that has changed comes with another tag`(by continuations: Rules.Continuations) throws {
        let server = try server(by: continuations)
        var tags = [server.answer(PageRequest(limit: 3)).etag]
        let changes: [(SimulatedFeedServer) throws -> Int] = [
            { try $0.edit("8", text: "changed") }, { try $0.delete("9") }, { try $0.bump("6") }, { try $0.hide("8") },
        ]
        for change in changes {
            _ = try change(server)
            let answer = server.answer(request(unless: tags.last ?? nil))
            #expect(answer.status == 200)
            #expect(!tags.contains(answer.etag))
            tags.append(answer.etag)
        }
    }

    @Test func `a change elsewhere leaves the tag as it was`() throws {
        let server = try server(by: .cursor)
        let first = server.answer(PageRequest(limit: 3))
        try server.delete("1")
        #expect(server.answer(request(unless: first.etag)).status == 304)
    }

    @Test func `a page that becomes the last has changed where it says so`() throws {
        let server = try server(by: .cursor)
        let first = server.answer(PageRequest(limit: 8))
        try server.delete("1")
        let second = server.answer(request(limit: 8, unless: first.etag))
        #expect(second.ids == first.ids)
        #expect(second.follows == .nothing)
    }

    @Test func `pages of one list have tags of their own`() throws {
        let server = try server(by: .pageNumber(first: 1))
        let tags = (1...4).map { server.answer(PageRequest(limit: 3, continuation: .page($0))).etag }
        #expect(Set(tags).count == 4)
        #expect(server.answer(request(.page(2), unless: tags[1])).status == 304)
        #expect(server.answer(request(.page(2), unless: tags[0])).status == 200)
    }

    @Test func `a server may have no tags`() throws {
        let server = try server(by: .none)
        let etag = server.answer(PageRequest(limit: 3)).etag
        server.rules.hasETags = false
        let answer = server.answer(request(unless: etag))
        #expect(answer.status == 200)
        #expect(answer.etag == nil)
        #expect(server.rawAnswer(for: PageRequest(limit: 3)).headers["ETag"] == nil)
    }

    @Test func `a refusal has no tag`() throws {
        let server = try server(by: .none)
        server.inject(.status(503))
        #expect(server.answer(PageRequest(limit: 3)).etag == nil)
    }
}
