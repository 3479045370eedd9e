import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct ExplanationTests {
    private static let failure = FetchFailure.http(status: 503, retryAfter: .seconds(12))

    @Test(arguments: [
        (Plan.serve(.fresh), true, Explanation.Decision.show(.fresh)),
        (.serve(.heldBack, failure), true, .showInstead(failure)),
        (.serveAndFetch, true, .showAndAsk),
        (.fetch(patience: .seconds(3), fallback: .stored), true, .ask(patience: .seconds(3), presumedOffline: false)),
        (
            .fetch(patience: .zero, fallback: .stored, impatience: .presumedOffline), true,
            .ask(patience: .zero, presumedOffline: true)
        ),
        (.fetch(patience: nil, fallback: .none), true, .wait(.tooStale)),
        (.fetch(patience: nil, fallback: .none), false, .wait(.nothingStored)),
        (.refuse(failure), false, .refuse(failure)), (.notStored, false, .fail(.nothingStored)),
    ])
    func `every plan has a decision`(plan: Plan, isStored: Bool, expected: Explanation.Decision) {
        #expect(Explanation.Decision(plan, policy: .cacheFirst, isStored: isStored) == expected)
    }

    @Test func `every fact has one name, and the same ones are there whatever is stored`() async throws {
        let kit = try ScriptedResource(.answer(.number(1, ["ETag": "\"a\"", "Cache-Control": "max-age=9"])))
        let before = try kit.resource().explain().facts
        _ = try await kit.resource().read()
        let after = try kit.resource().explain().facts
        #expect(before.map(\.name) == after.map(\.name))
        #expect(Set(after.map(\.name)).count == after.count)
        let values = Dictionary(uniqueKeysWithValues: after.map { ($0.name, $0.value) })
        #expect(values["key"] == .text("k") && values["kind"] == .text("resource"))
        #expect(values["decision"] == .text("show") && values["fresh"] == .flag(true))
        #expect(values["lifetime"] == .duration(.seconds(9)) && values["lifetimeFrom"] == .text("server"))
        #expect(values["validators"] == .list(["ETag"]) && values["trouble"] == Explanation.Fact.Value.none)
    }

    @Test func `printed it tells the decision and nothing private`() async throws {
        let origin = ScriptedFetch<Void, Int>(.answer(1))
        let resource = Larder.inMemory(environment: TestWorld().environment).partition("secret-account").resource(
            "https://secret-key.example", options: .init(tags: ["secret-tag"], origin: "secret-origin")
        ) { try await origin() }
        _ = try await resource.read()
        let explanation = try resource.explain()
        #expect(explanation.description.hasPrefix("a read      asks, and shows what is stored"))
        #expect(!explanation.description.contains("secret") && !"\(explanation)".contains("secret"))
        let texts = explanation.lines(isPrivate: true).map(\.text)
        #expect(texts.contains("secret-tag") && texts.contains("secret-origin: may be asked"))
    }

    @Test(arguments: [
        (0, "0 ms"), (250, "250 ms"), (3000, "3 s"), (3100, "3.1 s"), (59_999, "59 s"), (720_000, "12 min"),
        (7_200_000, "2 h"), (172_800_000, "2 days"), (-5, "0 ms"),
    ])
    func `times are told as people read them`(milliseconds: Int, words: String) {
        #expect(Duration.milliseconds(milliseconds).inWords == words)
    }
}
