import Foundation
import Testing

@testable import LarderCLI

@Suite struct WarmReportTests {
    private let results = [
        WarmResult(url: "https://a.test/1", outcome: .fetched, status: 200, bytes: 3_400_000),
        WarmResult(url: "https://a.test/2", outcome: .fresh, status: 200),
        WarmResult(url: "https://a.test/3?token=s3cr3t", outcome: .failed, reason: "no answer came in time"),
        WarmResult(url: "https://a.test/4", outcome: .left),
    ]

    @Test func theSentenceCountsAndTheRemarksSayWhy() {
        let report = WarmReport(results: results, end: .budget)
        #expect(report.sentence == "Fetched 1 (3.4 MB), 1 already fresh, 1 failed.")
        #expect(
            report.remarks == [
                "https://a.test/3?token=…: failed: no answer came in time",
                "the budget of this run is spent: 1 URL left; the same command goes on",
            ])
    }

    @Test func theExitCodeTellsOfTrouble() {
        #expect(WarmReport(results: results, end: .done).exitCode == .failure)
        let sound = Array(results.prefix(2)) + [results[3]]
        #expect(WarmReport(results: sound, end: .budget).exitCode == .success)
        #expect(WarmReport(results: sound, end: .interrupted(2)).exitCode == .signal(2))
        #expect(WarmReport(end: .failed(Trouble("full", "", exitCode: .storage))).exitCode == .storage)
    }

    @Test func answersThatVaryAreSaidToBeForTheSameRequests() {
        var varying = results[0]
        varying.vary = ["accept-encoding"]
        #expect(WarmReport(results: [varying], end: .done).remarks.first?.contains("vary by accept-encoding") == true)
    }

    @Test func theBarFillsAsURLsEnd() {
        #expect(WarmTally(ended: 0, all: 4, failed: 0, bytes: 0).line == "[--------------------] 0 of 4, 0 bytes")
        #expect(
            WarmTally(ended: 2, all: 4, failed: 1, bytes: 2000).line
                == "[##########----------] 2 of 4, 2.0 kB, 1 failed or not stored")
        #expect(WarmTally(ended: 4, all: 4, failed: 0, bytes: 0).line.hasPrefix("[####################] 4 of 4"))
    }
}
