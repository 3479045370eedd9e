import Foundation
import Testing

@testable import LarderServer

@Suite struct ChunkedDecoderTests {
    /// The data, `nil` where the chunks are malformed.
    private func decode(_ parts: [String]) -> (data: Data, isDone: Bool)? {
        var decoder = AnswerChunkDecoder()
        var data = Data()
        for part in parts {
            guard let part = try? Array(part.utf8).withUnsafeBytes({ try decoder.take($0) }) else { return nil }
            data += part
        }
        return (data, decoder.isDone)
    }

    @Test(arguments: [
        "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "03;name=\"va lue\"\r\nabc\r\n2 \t \r\nde\r\n000\r\nX: 1\r\nY: 2\r\n\r\n",
        "3 ;x\r\nabc\r\n2\r\nde\r\n0;last\r\n\r\n",
    ])
    func chunksAreTakenOffWhereverTheyAreCut(text: String) {
        for position in 0...text.utf8.count {
            let parts = [String(text.prefix(position)), String(text.dropFirst(position))]
            #expect(decode(parts)?.data == Data("abcde".utf8))
            #expect(decode(parts)?.isDone == true)
        }
        #expect(decode(text.map { String($0) })?.data == Data("abcde".utf8))
    }

    @Test func aBodyIsNotDoneBeforeItsLastLine() {
        let text = Array("3\r\nabc\r\n0\r\nX: 1\r\n\r\n".utf8)
        for count in 0..<text.count {
            #expect(decode([String(decoding: text[..<count], as: UTF8.self)])?.isDone == false)
        }
    }

    @Test func sizesAreHexadecimal() {
        let data = String(repeating: "x", count: 0x1AF)
        #expect(decode(["1aF\r\n\(data)\r\n0\r\n\r\n"])?.data.count == 0x1AF)
    }

    @Test(arguments: [
        "\r\n", ";x\r\n", "g\r\n", "-1\r\n", "+1\r\na", "0x1\r\na", " 1\r\na", "1\na\r\n", "1\r\nab",
        "1\r\na\n0\r\n\r\n",
        "1\r\na\rb", "1;x\ny\r\n", "1\rx", "1 x\r\na", "0\r\n\r\nx", "0\r\n\n", "0\r\nX: 1\n", "0\r\n\rx",
        "1000000000000000\r\n", "0000000000000001\r\n",
    ])
    func whatIsMalformedIsRefused(text: String) {
        #expect(decode([text]) == nil)
        #expect(decode(text.unicodeScalars.map { String($0) }) == nil)
    }

    @Test func whatIsIgnoredHasAnEnd() {
        #expect(decode(["1;" + String(repeating: "x", count: 4000) + "\r\na\r\n"]) != nil)
        #expect(decode(["1;" + String(repeating: "x", count: 5000)]) == nil)
        #expect(decode(["1" + String(repeating: " ", count: 5000)]) == nil)
        #expect(decode(["0\r\n" + String(repeating: "X: 1\r\n", count: 20_000)]) == nil)
    }
}
