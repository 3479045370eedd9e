import Testing

@testable import LarderServer

@Suite struct RequestMutationTests {
    /// Any bytes: no trap, and the same meaning however they are cut.
    @Test(arguments: 0..<8 as Range<UInt64>)
    func changedRequestsMeanTheSameHoweverTheyAreCut(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let bodies = RequestSamples.refusedBodies.map { RequestSamples.chunkedHead + $0.text }
        let samples = (RequestSamples.valid + RequestSamples.refused.map(\.text) + bodies).filter {
            $0.utf8.count < 500
        }
        for _ in 0..<400 {
            var bytes = Array(samples[Int.random(in: samples.indices, using: &random)].utf8)
            for _ in 0...Int.random(in: 0..<4, using: &random) { Self.change(&bytes, using: &random) }
            let whole = ParsedStream(bytes, pieces: [])
            #expect(ParsedStream(bytes, pieces: Array(bytes.indices)) == whole)
            let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            #expect(ParsedStream(bytes, pieces: cuts) == whole)
        }
    }

    private static let special: [[UInt8]] = [
        "\r\n", "\n", "\r", "\0", " ", "\t", ":", ";", "0", "\r\n\r\n", "chunked", ",",
    ]
    .map { Array($0.utf8) }

    private static func change(_ bytes: inout [UInt8], using random: inout SplitMix64) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.insert(contentsOf: special[Int.random(in: special.indices, using: &random)], at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 3: bytes.removeSubrange(place..<min(place + Int.random(in: 1...8, using: &random), bytes.count))
        default: bytes.insert(contentsOf: bytes[place..<min(place + 20, bytes.count)], at: place)
        }
    }
}
