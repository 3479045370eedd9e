import Foundation
import LarderKit
import Testing

@testable import LarderScenarios

struct ListServerTests {
    private func server(_ paging: String, rule: String, states: String, idType: String = "decimal") throws -> ListServer
    {
        let text = """
            {"paging": "\(paging)", "idType": "\(idType)", "server": {"rule": \(rule), "states": \(states)},
             "steps": [{"do": "read"}]}
            """
        let script = try FeedScript(ScriptValue(json: Data(text.utf8)))
        return ListServer(try #require(script.server), rule: script.rule, words: script.paging)
    }

    private func ids(_ page: ListServer.Page) -> [String]? {
        guard case .items(let items, _) = page else { return nil }
        return items.map(\.id.rawValue)
    }

    private func next(_ page: ListServer.Page) -> ListServer.Next? {
        guard case .items(_, let next) = page else { return nil }
        return next
    }

    private func ask(_ query: String) -> AskedRequest {
        AskedRequest(url: "https://api.example.test/t?limit=2\(query)", isAuthorized: false)
    }

    private static let six = #"[{"at": 0, "ids": ["12", "11", "10", "9", "8", "7"]}]"#

    @Test(arguments: [
        ("exclusive", "&max_id=10", ["9", "8"]), ("inclusive", "&max_id=10", ["10", "9"]),
        ("exclusive", "&max_id=100", ["12", "11"]), ("exclusive", "&max_id=7", []),
        ("exclusive", "", ["12", "11"]),
    ])
    func upperBound(_ words: String, _ query: String, _ wanted: [String]) throws {
        var server = try server("since/max", rule: #"{"max_id": "\#(words)"}"#, states: Self.six)
        #expect(ids(server.page(for: ask(query), at: 0)) == wanted)
    }

    @Test(arguments: [
        ("newest N above it, exclusive", "&since_id=8", ["12", "11"]),
        ("next N above it, exclusive", "&since_id=8", ["10", "9"]),
        ("next N above it, inclusive", "&since_id=8", ["9", "8"]),
        ("newest N above it", "&since_id=8&max_id=11", ["10", "9"]),
        ("ignored", "&since_id=12", ["12", "11"]),
    ])
    func lowerBound(_ words: String, _ query: String, _ wanted: [String]) throws {
        var server = try server("since/max", rule: #"{"since_id": "\#(words)"}"#, states: Self.six)
        #expect(ids(server.page(for: ask(query), at: 0)) == wanted)
    }

    @Test func whatIsHeldDependsOnTheTime() throws {
        var server = try server(
            "since/max", rule: "{}", states: #"[{"at": 5, "ids": ["1"]}, {"at": 10, "ids": ["2", "1"]}]"#)
        #expect(ids(server.page(for: ask(""), at: 0)) == [])
        #expect(ids(server.page(for: ask(""), at: 9)) == ["1"])
        #expect(ids(server.page(for: ask(""), at: 10)) == ["2", "1"])
    }

    @Test func pagesAndOffsetsAreCountedInTheListAsItIs() throws {
        var pages = try server("page number", rule: #"{"page": "offset"}"#, states: Self.six)
        #expect(ids(pages.page(for: ask("&page=2"), at: 0)) == ["10", "9"])
        #expect(ids(pages.page(for: ask("&page=4"), at: 0)) == [])
        var offsets = try server("offset", rule: "{}", states: Self.six)
        #expect(ids(offsets.page(for: ask("&offset=3"), at: 0)) == ["9", "8"])
    }

    @Test func aCursorGoesOnWithWhatWasToCome() throws {
        let states = #"[{"at": 0, "ids": ["c", "b", "a", "z"]}, {"at": 1, "ids": ["e", "d", "c", "b", "z"]}]"#
        var server = try server("cursor", rule: "{}", states: states, idType: "opaque")
        let cursor = try #require(next(server.page(for: ask(""), at: 0)))
        let second = server.page(for: ask("&cursor=\(cursor.value)"), at: 1)
        #expect(ids(second) == ["z"])
        #expect(next(second) == nil)
    }

    @Test func aLinkMayBeAPageNumberInDisguise() throws {
        var server = try server("link", rule: #"{"page": "offset"}"#, states: Self.six)
        #expect(next(server.page(for: ask(""), at: 0)) == ListServer.Next(name: "page", value: "2"))
        #expect(next(server.page(for: ask("&page=3"), at: 0)) == nil)
    }

    @Test func aBoundThatIsNotThereIsRefusedWhereIDsDoNotCompare() throws {
        var server = try server("after-item", rule: "{}", states: #"[{"ids": ["b", "a"]}]"#, idType: "opaque")
        guard case .refusal(let status) = server.page(for: ask("&max_id=c"), at: 0) else {
            Issue.record("a page came")
            return
        }
        #expect(status == 404)
    }
}
