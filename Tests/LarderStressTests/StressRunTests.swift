import Testing

@testable import LarderStress

/// The checks of `larder-stress` on a small crowd.
struct StressRunTests {
    @Test(.timeLimit(.minutes(5)), arguments: [1, 2] as [UInt64])
    func everythingHoldsForASmallCrowd(_ seed: UInt64) async throws {
        var size = StressSize()
        size.readers = 40
        size.keys = 20
        size.partitions = 3
        size.time = .seconds(1)
        size.signedIn = 400
        size.seed = seed
        size.hangLimit = .seconds(50)
        // The crowd lives in real time: on a machine that has other things to do a second may be too short for all of it.
        for _ in 0..<10 {
            let report = try await StressRun(size).run { overdue in
                Issue.record("what has not returned: \(overdue)")
            }
            #expect(report.firstViolations == [])
            #expect(report.hasPassed)
            if report.reads > 0, report.requests > 0, report.signOuts > 0, report.valuesChecked > 0 { return }
        }
        Issue.record("nothing happened")
    }
}
