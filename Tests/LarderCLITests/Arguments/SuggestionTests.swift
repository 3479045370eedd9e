import Testing

@testable import LarderCLI

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abd", 1), ("abc", "acb", 1),
        ("abc", "xabc", 1), ("kitten", "sitting", 3), ("feed", "fede", 1),
    ])
    func theDistanceCountsEdits(left: String, right: String, distance: Int) {
        #expect(Suggestion.distance(left, right) == distance)
        #expect(Suggestion.distance(right, left) == distance)
    }

    @Test func theNearestIsSuggestedIfItIsNear() {
        let known = ["get", "feed", "ls", "demo", "sample-api"]
        #expect(Suggestion.nearest(to: "fede", among: known) == "feed")
        #expect(Suggestion.nearest(to: "sample-ap", among: known) == "sample-api")
        #expect(Suggestion.nearest(to: "gte", among: known) == "get")
        #expect(Suggestion.nearest(to: "explain", among: known) == nil)
        #expect(Suggestion.nearest(to: "x", among: []) == nil)
    }
}
