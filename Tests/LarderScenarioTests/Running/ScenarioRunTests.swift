import Foundation
import Testing

@testable import LarderScenarios

struct ScenarioRunTests {
    private static func feed(_ id: String, expecting timeline: String) -> String {
        """
        {"format": "feed-script/1", "case": "\(id)", "paging": "since/max",
         "server": {"rule": {"limit": 3}, "states": [{"at": 0, "ids": ["3", "2", "1"]}]},
         "steps": [{"at": 0, "do": "refresh", "expect": {"timeline": \(timeline)}}]}
        """
    }

    @Test func aLineACaseAndTheirNumber() async throws {
        let folder = try CaseFolder()
        try folder.add(Self.feed("good", expecting: #"["3", "2", "1"]"#), as: "a/feed.json")
        try folder.add(Self.feed("bad", expecting: #"["3", "1"]"#), as: "b/feed.json")
        let printed = Printed()
        let exit = await printed.run(folder.url.path)
        #expect(exit == .someFailed)
        #expect(
            printed.lines == [
                "PASS good", "FAIL bad: step 1 (refresh): timeline: expected [3, 1], got [3, 2, 1]",
                "1 passed, 1 failed",
            ])
    }

    @Test func allPassedIsSuccess() async throws {
        let folder = try CaseFolder()
        let file = try folder.add(Self.feed("good", expecting: #"["3", "2", "1"]"#), as: "good.json")
        let printed = Printed()
        #expect(await printed.run(file.path) == .allPassed)
        #expect(printed.lines == ["PASS good", "1 passed, 0 failed"])
        #expect(ScenarioRun.Exit.allPassed.rawValue == 0)
        #expect(ScenarioRun.Exit.someFailed.rawValue == 1)
    }

    @Test func aSenselessCommandLineRunsNothing() async throws {
        let folder = try CaseFolder()
        try folder.add(Self.feed("good", expecting: "[]"), as: "good.json")
        for arguments in [[], ["--verbose", folder.url.path], [folder.url.path, folder.url.path + "/none"]] {
            let printed = Printed()
            let run = ScenarioRun(print: { _ in }, complain: { _ in })
            #expect(await run.run(arguments) == .usage)
            #expect(printed.lines.isEmpty)
        }
        let printed = Printed()
        #expect(await printed.run(folder.url.path + "/none").rawValue == 2)
        #expect(printed.complaints.contains("there is no \(folder.url.path)/none"))
        #expect(printed.lines.isEmpty)
    }

    @Test func foldersAreWalkedByNameAndOtherFilesLeftAlone() async throws {
        let folder = try CaseFolder()
        try folder.add(Self.feed("second", expecting: #"["3", "2", "1"]"#), as: "b.json")
        try folder.add(Self.feed("first", expecting: #"["3", "2", "1"]"#), as: "a/deep/feed.json")
        try folder.add("SQLite format 3", as: "a/cache.sqlite")
        let printed = Printed()
        #expect(await printed.run(folder.url.path) == .allPassed)
        #expect(printed.lines == ["PASS first", "PASS second", "2 passed, 0 failed"])
    }

    @Test func variantsAreOneCaseAndTheFailingOneIsNamed() async throws {
        let folder = try CaseFolder()
        let file = try folder.add(
            """
            {"format": "feed-script/1", "case": "V", "paging": "since/max", "variants": ["7", "8"],
             "steps": [{"do": "refresh", "respond": {"body": "[{\\"id\\":\\"{variant}\\"}]"},
                        "expect": {"timeline": ["7"]}}]}
            """, as: "v.json")
        let printed = Printed()
        #expect(await printed.run(file.path) == .someFailed)
        #expect(
            printed.lines == [
                #"FAIL V: variant "8": step 1 (refresh): timeline: expected [7], got [8]"#, "0 passed, 1 failed",
            ])
    }
}
