import Foundation
import LarderKit
import LarderSQLite
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct RemoveTests {
    let cache: FilledCache

    init() async throws {
        cache = try FilledCache()
        try await cache.fill { larder in
            for partition in [larder.common, larder.partition("anna")] {
                try await partition.put("news/1", Data("one".utf8))
                try await partition.put("news/2", Data("two".utf8), in: .files)
                try await partition.put("profile", Data("me".utf8))
                try await partition.putList("news/list", [3, 2, 1])
            }
        }
    }

    private func remove(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["rm", "--cache", cache.path] + arguments).end()
    }

    /// The keys and names of what is stored.
    private func stored(_ partition: String = "") async throws -> Set<String> {
        let object = try await Tool.run("ls", "--json", "--cache", cache.path).object()
        func names(_ list: String, _ name: String) -> [String] {
            (object[list] as? [[String: Any]] ?? []).filter { $0["partition"] as? String == partition }
                .compactMap { $0[name] as? String }
        }
        return Set(names("resources", "key") + names("feeds", "name"))
    }

    private let all: Set = ["news/1", "news/2", "profile", "news/list"]

    @Test func whatIsNamedGoesWhereverItLies() async throws {
        let run = try await remove("news/1", "news/2", "news/list")
        #expect(run.code == 0 && run.text == "removed 2 documents and 1 list of 3 items, 30 bytes\n")
        #expect(try await stored() == ["profile"])
        #expect(try await stored("anna") == all)
        let files = try await Tool.run("path", "--json", "--cache", cache.path).object()["files"] as? [[String: Any]]
        #expect(files?.count { ($0["path"] as? String)?.hasSuffix(".entry") == true } == 1)
    }

    @Test func whatIsNotThereIsToldAndTheRestGoes() async throws {
        let run = try await remove("--json", "profil", "profile", "--partition", "anna")
        #expect(run.code == 1)
        #expect(run.error.contains("Did you mean profile?"))
        let object = try run.object()
        #expect(object["resources"] as? Int == 1 && object["size"] as? Int == 2)
        #expect((object["errors"] as? [[String: Any]])?.first?["kind"] as? String == "notStored")
        #expect(try await stored("anna") == ["news/1", "news/2", "news/list"])
        let again = try await remove("profile", "--partition", "anna")
        #expect(again.code == 1 && again.output.isEmpty)
    }

    @Test func aPrefixIsComparedByteByByte() async throws {
        try await cache.fill { larder in
            try await larder.common.put("Caf\u{E9}/1", Data("1".utf8))
            try await larder.common.put("Cafe\u{301}/1", Data("1".utf8))
            try await larder.common.put("news%", Data("1".utf8))
        }
        #expect(try await remove("--prefix", "Cafe\u{301}").code == 0)
        #expect(try await remove("--prefix", "news/").code == 0)
        #expect(try await stored() == ["profile", "Caf\u{E9}/1", "news%"])
        #expect(try await stored("anna") == all)
        let nothing = try await remove("--prefix", "NEWS")
        #expect(nothing.code == 1 && nothing.error.contains("begins with NEWS"))
    }

    @Test func allOfAnAccountGoesAndNothingOfAnother() async throws {
        let run = try await remove("--partition", "anna")
        #expect(run.code == 0)
        #expect(try await stored("anna").isEmpty)
        #expect(try await stored() == all)
        let again = try await remove("--partition", "anna")
        #expect(again.code == 1 && again.error.contains("nothing of the account anna is stored"))
    }

    @Test func everythingGoes() async throws {
        let object = try await remove("--all", "--json").object()
        #expect(object["resources"] as? Int == 6 && object["feeds"] as? Int == 2 && object["items"] as? Int == 6)
        #expect(try await stored().isEmpty)
        #expect(try await stored("anna").isEmpty)
        let again = try await remove("--all")
        #expect(again.code == 0 && again.text == "nothing was stored\n")
    }

    @Test func aDamagedValueGoesAsWell() async throws {
        let database = try Database(.file(cache.path + "/cache.sqlite"))
        try await database.write { db in
            try db.execute("UPDATE larder_entry SET body = x'00' WHERE key = 'profile' AND partition = ''")
        }
        #expect(try await Tool.run("show", "--cache", cache.path, "profile").code == 1)
        #expect(try await remove("profile").code == 0)
        #expect(try await stored() == ["news/1", "news/2", "news/list"])
    }

    @Test func anOpenCacheGoesOn() async throws {
        let larder = try Larder(.folder(URL(fileURLWithPath: cache.path, isDirectory: true)))
        defer { larder.close() }
        let profile = larder.common.bytes("profile") { _ in throw FetchFailure(.offline, "nobody is asked") }
        let list = larder.common.feed("news/list", paging: .byID) { _ in Page.last([NumberedItem(id: 9)]) }
        #expect(try profile.peek()?.value == Data("me".utf8) && list.peek()?.value.items.count == 3)
        #expect(try await remove("--all").code == 0)
        #expect(try profile.peek() == nil && list.peek() == nil)
        try await profile.store(Data("again".utf8))
        #expect(try await list.page().value.items.map(\.id) == [9])
        #expect(try await stored() == ["profile", "news/list"])
    }

    @Test func nothingIsLeftInTheFileToBeRead() async throws {
        try await cache.fill { larder in try await larder.common.put("secret", Data("s3cr3t-value".utf8)) }
        #expect(try await remove("secret").code == 0)
        for name in ["cache.sqlite", "cache.sqlite-wal"] {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: cache.path + "/" + name))) ?? Data()
            #expect(bytes.range(of: Data("s3cr3t-value".utf8)) == nil, "\(name)")
        }
    }

    @Test(arguments: [
        [], ["--all", "a"], ["--all", "--partition", "anna"], ["--prefix", "a", "b"], ["--all", "--prefix", "a"],
    ])
    func whatIsNotClearIsAMistakeOfTheCommandLine(arguments: [String]) async throws {
        let run = try await Tool.start(["rm", "--cache", cache.path] + arguments).end()
        #expect(run.code == 2 && run.error.contains("larder help rm"))
        #expect(try await stored() == all)
    }

    @Test func aCacheThatIsNotThereIsNotMade() async throws {
        let none = cache.scratch.path("none")
        let run = try await Tool.run("rm", "--all", "--json", "--cache", none)
        #expect(run.code == 3)
        #expect((try run.object()["errors"] as? [[String: Any]])?.count == 1)
        #expect(!FileManager.default.fileExists(atPath: none))
    }
}
