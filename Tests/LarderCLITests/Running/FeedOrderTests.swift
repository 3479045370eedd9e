import Foundation
import LarderServer
import Testing

/// A list's order is part of what is stored of it: a request that does not name one costs nothing that is proven.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedOrderTests {
    let scratch: Scratch
    let cache: String
    let api: StubAPI

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
        api = try StubAPI(json: #"[{"id":3},{"id":2}]"#)
    }

    private func feed(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["feed", "--json", "--cache", cache, api.url + "/"] + arguments).end()
    }

    private func order() async throws -> String? {
        let list = try await Tool.run("ls", "--json", "--cache", cache).object()
        return (list["feeds"] as? [[String: Any]])?.first?["order"] as? String
    }

    @Test func withoutOneTheOrderItIsStoredInIsUsed() async throws {
        _ = try await feed("--order", "decimal")
        let online = try await feed()
        #expect(online.code == 0)
        #expect(!online.error.contains("order"))
        #expect(try await order() == "decimal")
        let offline = try await feed("--offline")
        #expect(try offline.object()["ids"] as? [String] == ["3", "2"])
        #expect(try await Tool.run("ls", "--cache", cache).text.contains("order decimal"))
    }

    @Test func aNewListIsInTheServersOrder() async throws {
        _ = try await feed()
        #expect(try await order() == "server")
    }

    @Test func anotherOrderGoesAheadAndSaysWhatItDoes() async throws {
        _ = try await feed("--order", "decimal")
        let run = try await feed("--order", "ranked")
        #expect(run.code == 0)
        #expect(run.error.contains("the list was kept in order decimal; in order ranked its items stay"))
        #expect(try await order() == "ranked")
    }

    @Test func anotherOrderOfflineIsRefusedWithTheOneThatWorks() async throws {
        _ = try await feed("--order", "decimal")
        let run = try await feed("--offline", "--order", "server")
        #expect(run.code == 1)
        #expect(run.error.contains("leave out --order"))
        #expect(try await feed("--offline").code == 0)
    }
}
