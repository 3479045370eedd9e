import Testing

@testable import LarderStress

struct StressOptionsTests {
    private func options(_ arguments: String...) throws -> StressOptions {
        try StressOptions(arguments, seed: 7)
    }

    @Test func withoutAWordItIsAThousandReadersForTwentySeconds() throws {
        let size = try options().size
        #expect(size.readers == 1000 && size.keys == 50 && size.partitions == 5)
        #expect(size.time == .seconds(20) && size.seed == 7)
    }

    @Test func eachMeasureMayBeSaid() throws {
        let options = try options(
            "--readers", "3", "--keys", "4", "--partitions", "2", "--seconds", "9", "--seed", "11", "--json",
            "--hang-after", "30")
        #expect(options.size.readers == 3 && options.size.keys == 4 && options.size.partitions == 2)
        #expect(options.size.time == .seconds(9) && options.size.seed == 11 && options.isJSON)
        #expect(options.size.hangLimit == .seconds(30))
    }

    @Test(arguments: [
        ["--readers"], ["--readers", "none"], ["--seconds", "0"], ["--seed", "-1"], ["--what"], ["fast"],
    ])
    func whatMakesNoSenseIsRefused(_ arguments: [String]) {
        #expect(throws: StressOptions.Mistake.self) { try StressOptions(arguments, seed: 1) }
    }
}
