import LarderKit
import Testing

@testable import LarderCLI

@Suite struct FeedOperationTests {
    @Test(
        arguments: [
            (nil, nil, .page(.newest)), ("newest", nil, .page(.newest)), ("older", "7", .page(.older(than: "7"))),
            ("newer", "7", .page(.newer(than: "7"))), ("older", nil, .older), ("refresh", nil, .refresh),
            ("all", nil, .all), ("gaps", nil, .gaps), ("fill", nil, .fill(nil)), ("fill", "2", .fill(2)),
            ("show", nil, .show), ("watch", nil, .watch),
        ] as [(String?, String?, FeedOperation)])
    func wordsBehindTheURLNameTheOperation(word: String?, argument: String?, operation: FeedOperation) throws {
        #expect(try FeedOperation(word, argument) == operation)
        #expect(operation.word == word ?? "newest")
        #expect(FeedOperation.words.contains(operation.word))
    }

    @Test(
        arguments: [
            ("wach", nil, "did you mean watch?"), ("all", "3", "all takes nothing behind it"),
            ("fill", "-1", "the number of a gap"), ("older", "", "never empty"), ("newer", nil, "'refresh'"),
        ] as [(String, String?, String)])
    func whatMakesNoSenseIsRefusedWithTheWayOut(word: String, argument: String?, message: String) {
        let error = #expect(throws: UsageError.self) { try FeedOperation(word, argument) }
        #expect(error?.description.contains(message) == true)
    }

    private func extent(_ operation: FeedOperation, _ arguments: String...) throws -> FeedExtentOptions {
        let spec = CommandSpec("feed", summary: "", groups: [FeedExtentOptions.group])
        return try FeedExtentOptions(ArgumentParser(spec: spec).parse(arguments), operation)
    }

    @Test func howFarToGoHasDefaultsThatAServerCanBear() throws {
        let extent = try extent(.all)
        #expect(extent.maxRequests == 100)
        #expect(extent.interval == .seconds(30))
        #expect(extent.refreshes == nil)
        #expect(extent.side == .newer)
        #expect(try self.extent(.fill(1), "--from", "older", "--all", "--max-requests", "3").maxRequests == 3)
    }

    @Test func anOptionOfAnotherOperationIsRefused() {
        for (operation, option) in [
            (.refresh, "--max-requests=3"), (.all, "--from=older"), (.page(.newest), "--all"),
            (.fill(nil), "--every=3s"),
            (.gaps, "--count=1"),
        ] as [(FeedOperation, String)] {
            let error = #expect(throws: UsageError.self) { try extent(operation, option) }
            #expect(error?.description.contains("not with \(operation.word): leave it out") == true)
        }
    }
}
