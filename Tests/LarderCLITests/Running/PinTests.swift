import Foundation
import LarderKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PinTests {
    let cache: FilledCache

    init() async throws {
        cache = try FilledCache()
        try await cache.fill { larder in
            try await larder.common.put("manual", Data("1".utf8))
            try await larder.partition("anna").putList("home", [2, 1])
        }
    }

    private func pin(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["pin", "--cache", cache.path] + arguments).end()
    }

    @Test func aValueIsPinnedAndNoLonger() async throws {
        let run = try await pin("manual")
        #expect(run.code == 0 && run.text == "pinned: manual\n")
        let text = try await Tool.run("ls", "--cache", cache.path).text
        #expect(text.contains("manual\n  document, 1 byte, ") && text.contains(", pinned\n"))
        let documents = try await Tool.run("ls", "--json", "--cache", cache.path).object()["resources"]
        #expect((documents as? [[String: Any]])?.first?["pinned"] as? Bool == true)
        #expect(
            try await Tool.run("show", "--json", "--cache", cache.path, "manual").object()["pinned"] as? Bool == true)
        #expect(try await pin("--off", "manual").text == "no longer pinned: manual\n")
        #expect(try await pin("--list").output.isEmpty)
    }

    @Test func aListIsPinned() async throws {
        #expect(try await pin("home", "--partition", "anna").code == 0)
        #expect(try await pin("--list").text == "home (account anna)\n")
        try await cache.fill { larder in
            let feed = larder.partition("anna").feed("home", paging: .byID) { _ in Page.last([NumberedItem(id: 1)]) }
            let isPinned = try feed.isPinned()
            #expect(isPinned)
        }
        let object = try await pin("--off", "home", "--partition", "anna", "--json").object()
        #expect((object["unpinned"] as? [[String: Any]])?.first?["key"] as? String == "home")
    }

    @Test func whatIsNotThereIsNotPinned() async throws {
        let run = try await pin("manuel", "manual", "--json")
        #expect(run.code == 1 && run.error.contains("Did you mean manual?"))
        #expect((try run.object()["pinned"] as? [[String: Any]])?.count == 1)
        #expect(try await pin("--list").text == "manual\n")
    }

    @Test func aPinOutlivesTheValueAndCanBeTakenOff() async throws {
        _ = try await pin("manual")
        _ = try await Tool.run("rm", "--cache", cache.path, "manual")
        #expect(try await pin("--list").text == "manual\n")
        #expect(try await pin("--off", "manual").code == 0)
        #expect(try await pin("--list").output.isEmpty)
    }

    @Test(arguments: [[], ["--off"], ["--list", "a"], ["--list", "--off"], ["--list", "--partition", "anna"]])
    func whatIsNotClearIsAMistakeOfTheCommandLine(arguments: [String]) async throws {
        let run = try await Tool.start(["pin", "--cache", cache.path] + arguments).end()
        #expect(run.code == 2)
    }
}
