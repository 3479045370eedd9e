import Foundation
import Testing

@testable import LarderScenarios

struct ServerRuleTests {
    private func rule(_ json: String) throws -> ServerRule {
        try ServerRule(
            ScriptFields(ScriptValue(json: Data(json.utf8)), at: "rule", known: ServerRule.known))
    }

    @Test(arguments: ["inclusive", "at or below", "N below it, inclusive", "below or equal to it"])
    func inclusiveWordings(_ words: String) throws {
        #expect(try rule(#"{"max_id": "\#(words)"}"#).max.isInclusive)
    }

    @Test(arguments: ["strictly below", "exclusive", "newest N below it, exclusive", "older than the item"])
    func exclusiveWordings(_ words: String) throws {
        #expect(try !rule(#"{"max_id": "\#(words)"}"#).max.isInclusive)
    }

    @Test(arguments: [
        ("newest N above it, exclusive", false), ("next N above it", true), ("oldest N newer than it", true),
    ])
    func sinceCountsFromOneEnd(_ words: String, _ fromOldest: Bool) throws {
        #expect(try rule(#"{"since_id": "\#(words)"}"#).since.countsFromOldest == fromOldest)
    }

    @Test func aBoundMayBeIgnored() throws {
        #expect(try !rule(#"{"since_id": "ignored"}"#).since.isUnderstood)
    }

    @Test func pagesAreCountedFromOneUnlessToldOtherwise() throws {
        #expect(try rule(#"{"page": "offset"}"#).firstPage == 1)
        #expect(try rule(#"{"page": "zero-based"}"#).firstPage == 0)
    }
}
