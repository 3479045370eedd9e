import Foundation
import Testing

@testable import LarderScenarios

/// The library keeps what the cases ask of it. One after another: each has a cache of its own, and two hundred at once would have
/// more files open than Foundation's `Process` in another suite can stand.
@Suite(.serialized)
struct CasesTests {
    @Test(arguments: ["feed", "links", "http", "cache", "steps", "storage"].flatMap { ProjectCases.names(in: $0) })
    func caseHolds(_ name: String) async {
        let failure = await CaseFile(url: ProjectCases.folder.appendingPathComponent(name)).run().failure
        #expect(failure == nil)
    }

    /// Recordings of real servers are not the project's to publish: `LARDER_RECORDINGS` names their folder.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["LARDER_RECORDINGS"] != nil),
        arguments: ProjectCases.names(in: "recorded"))
    func recordedCaseHolds(_ name: String) async {
        let failure = await CaseFile(url: ProjectCases.folder.appendingPathComponent(name)).run().failure
        #expect(failure == nil)
    }

    @Test func casesAreThere() {
        #expect(ProjectCases.names(in: "feed").count >= 40)
        #expect(ProjectCases.names(in: "links").count >= 1)
        #expect(ProjectCases.names(in: "http").count >= 70)
        #expect(ProjectCases.names(in: "cache").count >= 50)
        #expect(ProjectCases.names(in: "steps").count >= 10)
        #expect(ProjectCases.names(in: "storage").count >= 15)
    }
}
