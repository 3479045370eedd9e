import Foundation
import LarderKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SnapshotTests {
    let cache: FilledCache
    let other: FilledCache

    init() async throws {
        cache = try FilledCache()
        other = try FilledCache()
        try await cache.fill { larder in
            try await larder.common.put("row", Data("1".utf8))
            try await larder.common.put("large", Data(repeating: 2, count: 200_000))
            try await larder.common.put("file", Data("3".utf8), in: .files)
            try await larder.common.put("https://api.example/me?token=s3cr3t", Data("4".utf8))
            try await larder.common.putList("list", [3, 2, 1])
            try await larder.partition("anna").put("hers", Data("5".utf8))
        }
    }

    private var file: String { cache.scratch.path("snapshot.larder") }

    private func export(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["export", "--cache", cache.path, file] + arguments).end()
    }

    private func takeIn(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["import", "--cache", other.path, file] + arguments).end()
    }

    @Test func whatIsExportedIsTakenInByAnother() async throws {
        let run = try await export("--json")
        #expect(run.code == 0)
        let object = try run.object()
        #expect(object["resources"] as? Int == 3 && object["feeds"] as? Int == 1 && object["items"] as? Int == 3)
        #expect((object["leftOut"] as? [String: Int])?["holdsCredentials"] == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data("s3cr3t".utf8)) == nil)
        let taken = try await takeIn()
        #expect(taken.code == 0 && taken.text.hasPrefix("took in 3 documents, 1 list of 3 items, "))
        #expect(try await Tool.run("show", "--cache", other.path, "row").text == "1")
        #expect(try await Tool.run("show", "--cache", other.path, "large").output.count == 200_000)
        #expect(try await Tool.run("show", "--cache", other.path, "file", "--in", "files").text == "3")
        #expect(try await Tool.run("show", "--cache", other.path, "list", "--item", "2").text == #"{"id":2}"#)
        #expect(try await Tool.run("show", "--cache", other.path, "hers", "--partition", "anna").code == 1)
        #expect(try await Tool.run("verify", "--cache", other.path).code == 0)
    }

    @Test func accountsGoOnlyWhereTheyAreNamed() async throws {
        #expect(try await export("--partition", "anna", "--json").object()["resources"] as? Int == 1)
        let both = try await export("--partition", "anna", "--common", "--force", "--json")
        #expect(try both.object()["resources"] as? Int == 4)
        let unknown = try await export("--partition", "anne", "--force")
        #expect(unknown.code == 1 && unknown.error.contains("Did you mean anna?"))
    }

    @Test func aFileThatIsThereIsNotReplacedUnlessThatIsSaid() async throws {
        try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
        let run = try await export()
        #expect(run.code == 3 && run.error.contains("--force"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("precious".utf8))
        #expect(try await export("--force").code == 0)
        let own = try await Tool.run("export", "--cache", cache.path, cache.path + "/x.larder")
        #expect(own.code == 2)
    }

    @Test func whatIsNoSnapshotIsSaidToBeNone() async throws {
        let missing = try await takeIn("--json")
        #expect(missing.code == 3 && missing.error.contains(file))
        #expect(!FileManager.default.fileExists(atPath: other.path))
        try Data("not a snapshot".utf8).write(to: URL(fileURLWithPath: file))
        let run = try await takeIn()
        #expect(run.code == 3 && run.error.contains(file))
    }
}
