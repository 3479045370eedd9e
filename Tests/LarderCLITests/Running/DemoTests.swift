import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct DemoTests {
    @Test func everyClaimHoldsAndNothingIsLeftBehind() async throws {
        let scratch = try Scratch()
        let run = try await Tool.run("demo", environment: ["TMPDIR": scratch.url.path, "HOME": scratch.url.path])
        #expect(run.code == 0, "\(run.text)\(run.error)")
        #expect(run.error.isEmpty)
        #expect(run.text.contains("claims hold"))
        #expect(!run.text.contains("NO"))
        #expect(!run.text.contains("\u{1B}"), "a pipe gets no colours")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
    }

    @Test func theObjectTellsClaimsAndRequests() async throws {
        let scratch = try Scratch()
        let run = try await Tool.run("demo", "--json", environment: ["TMPDIR": scratch.url.path])
        let object = try run.object()
        let claims = try #require(object["claims"] as? [[String: Any]])
        #expect(claims.count > 10)
        #expect(claims.allSatisfy { $0["holds"] as? Bool == true })
        let requests = try #require(object["requests"] as? [[String: Any]])
        #expect((requests.last?["target"] as? String)?.contains("since_id=") == true)
    }
}
