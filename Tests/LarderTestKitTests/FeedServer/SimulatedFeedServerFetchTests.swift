import Foundation
import LarderKit
import LarderTestKit
import Testing

struct SimulatedFeedServerFetchTests {
    typealias Item = SimulatedFeedServer.Item

    private func text(_ answer: RawAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

    @Test func `a typed page holds the answer's items`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        let page = try await server.fetchPage(PageRequest(limit: 2))
        #expect(page.items.map(\.id) == ["5", "4"])
        #expect(page.follows == .unknown)
    }

    @Test func `a typed page says that nothing follows only if the server says so and it is true`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        #expect(try server.page(for: PageRequest(limit: 5)).follows == .unknown)
        server.rules.endOfList = .said
        #expect(try server.page(for: PageRequest(limit: 5)).follows == .nothing)
        #expect(try server.page(for: PageRequest(limit: 4)).follows == .unknown)
        server.inject(.empty)
        #expect(try server.page(for: PageRequest(limit: 5)).follows == .unknown)
    }

    @Test func `a refusal is thrown by its status`() async throws {
        let server = try SimulatedFeedServer(.newestOnTop, holding: 1...5)
        let failure = await #expect(throws: FetchFailure.self) {
            try await server.fetchPage(PageRequest(below: "77", limit: 2))
        }
        #expect(failure?.kind == .gone(status: 404))
    }

    @Test func `bytes are an array of objects with an id and a text`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...2)
        let answer = try await server.fetchRaw(PageRequest(limit: 2))
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
        #expect(text(answer) == #"[{"id":"2","text":"item 2"},{"id":"1","text":"item 1"}]"#)
    }

    @Test func `ids stand as numbers with all their digits where they are numbers`() throws {
        let ids: [ItemID] = ["18446744073709551616", "0", "007", "1e3", "x"]
        let server = try SimulatedFeedServer(.newestOnTop, holding: ids, rules: .init { $0.idForm = .numbers })
        let body = text(server.rawAnswer(for: PageRequest(limit: 9)))
        let forms = ["18446744073709551616", "0", #""007""#, #""1e3""#, #""x""#]
        for (id, form) in zip(ids, forms) {
            #expect(body.contains(#"{"id":\#(form),"text":"item \#(id)"}"#))
        }
    }

    @Test(arguments: [SimulatedFeedServer.Rules.IDForm.strings, .numbers])
    func `bytes decode to the items they were made of`(form: SimulatedFeedServer.Rules.IDForm) throws {
        let server = SimulatedFeedServer(.newestOnTop, rules: .init { $0.idForm = form })
        let texts = ["plain", "", "\"quoted\" \\ /", "line\nfeed\ttab\u{0}\u{1F}\u{7F}", "é e\u{301} 🧺 \u{2028}"]
        for (number, text) in texts.enumerated() { try server.insert(ItemID(number), text: text) }
        try server.insert("a \"strange\" id\n")
        let answer = server.rawAnswer(for: PageRequest(limit: 9))
        #expect(try JSONDecoder().decode([Item].self, from: answer.body) == server.list(at: server.version))
    }

    @Test func `a refusal has its status and no array`() throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...2)
        server.inject(.status(503))
        let answer = server.rawAnswer(for: PageRequest(limit: 2))
        #expect(answer.status == 503)
        #expect(text(answer) == #"{"error":503}"#)
    }

    @Test func `items are equal when the bytes of their ids are`() {
        #expect(Item("é", text: "") != Item("e\u{301}", text: ""))
        #expect(Item("é", text: "") == Item("é", text: ""))
        #expect(Item("é", text: "") != Item("é", text: "x"))
    }

    @Test func `every request is logged with its answer, in every form`() async throws {
        let server = try SimulatedFeedServer(.decimal, holding: 1...5)
        let requests = [PageRequest(limit: 1), PageRequest(above: "2", limit: 2), PageRequest(below: "2", limit: 3)]
        let first = server.answer(requests[0])
        _ = try await server.fetchPage(requests[1])
        _ = try await server.fetchRaw(requests[2])
        #expect(server.requests == requests)
        #expect(server.log.first?.answer == first)
        server.clearLog()
        #expect(server.log.isEmpty)
        #expect(server.ids.count == 5)
    }
}

/// What a server that gives something to go on with says in each form.
extension SimulatedFeedServerFetchTests {
    typealias Rules = SimulatedFeedServer.Rules

    private func server(by continuations: Rules.Continuations) throws -> SimulatedFeedServer {
        try SimulatedFeedServer(.newestOnTop, holding: 1...3, rules: .init { $0.continuations = continuations })
    }

    @Test(arguments: [Rules.Continuations.cursor, .link])
    func `a typed page brings what to go on with`(by continuations: Rules.Continuations) throws {
        let server = try server(by: continuations)
        let page = try server.page(for: PageRequest(limit: 2))
        guard case .more(let next) = page.follows else {
            Issue.record("\(page.follows)")
            return
        }
        let last = try server.page(for: PageRequest(below: "2", limit: 2, continuation: next))
        #expect(last.items.map(\.id) == ["1"])
        #expect(last.follows == .nothing)
    }

    private struct Envelope: Decodable {
        let items: [Item]
        let next_cursor: String?
    }

    @Test func `bytes are an object with the items and the cursor`() throws {
        let server = try server(by: .cursor)
        let first = server.rawAnswer(for: PageRequest(limit: 2))
        let envelope = try JSONDecoder().decode(Envelope.self, from: first.body)
        #expect(envelope.items.map(\.id) == ["3", "2"])
        let cursor = try #require(envelope.next_cursor)
        let last = server.rawAnswer(for: PageRequest(limit: 2, continuation: .cursor(cursor)))
        #expect(text(last) == #"{"items":[{"id":"1","text":"item 1"}],"next_cursor":null}"#)
        #expect(last.headers["Link"] == nil)
        server.inject(.status(503))
        #expect(text(server.rawAnswer(for: PageRequest(limit: 2))) == #"{"error":503}"#)
    }

    @Test func `bytes are an array beside the link`() throws {
        let server = try server(by: .link)
        let first = server.rawAnswer(for: PageRequest(limit: 2))
        #expect(text(first) == #"[{"id":"3","text":"item 3"},{"id":"2","text":"item 2"}]"#)
        #expect(first.url?.absoluteString == "https://api.example.test/feed?limit=2")
        let field = try #require(first.headers["Link"])
        let match = try #require(
            try #/<(https://api\.example\.test/feed\?cursor=[^>\s]+)>; rel="next"/#.wholeMatch(in: field))
        let target = String(match.output.1)
        let last = server.rawAnswer(for: PageRequest(limit: 2, continuation: .link(target)))
        #expect(text(last) == #"[{"id":"1","text":"item 1"}]"#)
        #expect(last.headers["Link"] == nil)
        #expect(last.url?.absoluteString == target)
    }

    @Test func `bytes of a server that counts are an array alone`() throws {
        for continuations in [Rules.Continuations.pageNumber(first: 1), .offset] {
            let answer = try server(by: continuations).rawAnswer(for: PageRequest(limit: 1))
            #expect(text(answer) == #"[{"id":"3","text":"item 3"}]"#)
            #expect(answer.headers["Link"] == nil)
        }
    }
}
