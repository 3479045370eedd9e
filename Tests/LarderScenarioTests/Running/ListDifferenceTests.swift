import LarderKit
import Testing

@testable import LarderScenarios

struct ListDifferenceTests {
    @Test func equalListsShowNothing() {
        #expect(ListDifference.shown(["1", "2"], ["1", "2"]) == ("", ""))
    }

    @Test func longListsAreShortenedAroundTheFirstDifference() {
        let ids = (1...60).reversed().map { ItemID($0) }
        var other = ids
        other.remove(at: 30)
        let (expected, got) = ListDifference.shown(ids, other)
        #expect(expected == "[…, 33, 32, 31, 30, 29, 28, …] (60)")
        #expect(got == "[…, 33, 32, 31, 29, 28, 27, …] (59)")
    }

    @Test func aListThatEndsEarlyShowsItsEnd() {
        let (expected, got) = ListDifference.shown(["3", "2", "1"], ["3"])
        #expect(expected == "[3, 2, 1]")
        #expect(got == "[3]")
    }
}
