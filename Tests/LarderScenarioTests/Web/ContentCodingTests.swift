import Foundation
import LarderKit
import Testing

@testable import LarderScenarios

struct ContentCodingTests {
    /// What gzip made of twenty times "leaf and cup, ".
    private static let coded = """
        H4sIAAAAAAACA8tJTUxTSMxLUUguLdBRyBnlQXkAds7mpxgBAAA=
        """
    private static let plain = String(repeating: "leaf and cup, ", count: 20)

    private func outcome(_ body: Data, _ headers: HeaderFields) -> HTTPOutcome { HTTPOutcome(200, headers, body) }

    @Test func whatIsCodedIsDecoded() throws {
        let coded = try #require(Data(base64Encoded: Self.coded))
        #expect(Inflate.gunzip(coded) == Data(Self.plain.utf8))
        #expect(ContentCoding.decoded(outcome(coded, ["Content-Encoding": "gzip"])) == Data(Self.plain.utf8))
        #expect(Inflate.gunzip(coded.dropLast(3)) == nil)
        #expect(Inflate.gunzip(Data(Self.plain.utf8)) == nil)
    }

    @Test func storedBlocksAreTaken() {
        let block = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 3, 0, 0xFC, 0xFF]) + Data("tea".utf8)
        #expect(Inflate.gunzip(block + Data([0, 0, 0, 0, 3, 0, 0, 0])) == Data("tea".utf8))
        #expect(Inflate.gunzip(block + Data([0, 0, 0, 0, 4, 0, 0, 0])) == nil)
    }

    @Test func fieldsAndBytesHaveToFit() throws {
        let coded = try #require(Data(base64Encoded: Self.coded))
        let length = String(coded.count)
        #expect(ContentCoding.isConsistent(outcome(coded, ["Content-Encoding": "gzip", "Content-Length": length])))
        #expect(ContentCoding.isConsistent(outcome(Data("tea".utf8), ["Content-Length": "3"])))
        #expect(!ContentCoding.isConsistent(outcome(Data("tea".utf8), ["Content-Length": length])))
        #expect(!ContentCoding.isConsistent(outcome(Data("tea".utf8), ["Content-Encoding": "gzip"])))
        #expect(!ContentCoding.isConsistent(outcome(coded, [:])))
    }
}
