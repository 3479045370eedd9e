import Foundation

/// Takes the cursors and links out of what stood around an answer's items.
enum EnvelopeRedaction {
    /// A shorter one is looked for as a whole value alone: within other texts it would be found by chance.
    private static let shortestPart = 8

    /// The same JSON with `null` for each text or number that is one of the tokens, or that has one in it.
    ///
    /// - Returns: `nil` for what is no JSON.
    static func redact(_ envelope: Data, tokens: [String]) -> Data? {
        let tokens = tokens.map { Array($0.utf8) }.filter { !$0.isEmpty }
        guard !tokens.isEmpty else { return envelope }
        return envelope.withUnsafeBytes { bytes in try? redact(bytes, tokens) }
    }

    private static func redact(_ bytes: UnsafeRawBufferPointer, _ tokens: [[UInt8]]) throws(JSONFault) -> Data {
        var scanner = JSONScanner(bytes)
        var result = Data(capacity: bytes.count)
        while scanner.position < bytes.count {
            let start = scanner.position
            let isSecret: Bool
            switch scanner.next {
            case UInt8(ascii: "\""):
                let string = try scanner.skipString()
                let text = scanner.text(of: string).map { Array($0.utf8) } ?? []
                isSecret = tokens.contains { isToken($0, in: text) } && !isName(endingAt: scanner)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                try scanner.skipNumber()
                isSecret = tokens.contains { bytes[start..<scanner.position].elementsEqual($0) }
            default:
                scanner.position += 1
                isSecret = false
            }
            if isSecret {
                result.append(contentsOf: "null".utf8)
            } else {
                result.append(contentsOf: bytes[start..<scanner.position])
            }
        }
        return result
    }

    private static func isToken(_ token: [UInt8], in text: [UInt8]) -> Bool {
        token == text || token.count >= shortestPart && text.firstRange(of: token) != nil
    }

    /// A member's name is no value, and `null` is no name.
    private static func isName(endingAt scanner: JSONScanner) -> Bool {
        var scanner = scanner
        scanner.skipSpace()
        return scanner.next == UInt8(ascii: ":")
    }
}
