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
