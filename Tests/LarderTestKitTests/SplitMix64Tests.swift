import LarderTestKit
import Testing

struct SplitMix64Tests {
    @Test func `the numbers are those of the reference implementation`() {
        var generator = SplitMix64(seed: 1_234_567)
        let numbers = (0..<5).map { _ in generator.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func `equal seeds give equal numbers, other seeds others`() {
        var (one, same, other) = (SplitMix64(seed: 1), SplitMix64(seed: 1), SplitMix64(seed: 2))
        let numbers = (0..<10).map { _ in one.next() }
        #expect(numbers == (0..<10).map { _ in same.next() })
        #expect(numbers != (0..<10).map { _ in other.next() })
    }
}
