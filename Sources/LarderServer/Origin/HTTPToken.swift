/// The words of HTTP: methods and the names of fields (RFC 9110 section 5.6.2).
enum HTTPToken {
    static func isValid(_ text: String) -> Bool { isValid(text.utf8) }

    static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy { $0 < 0x80 && table[Int($0)] }
    }

    private static let table: [Bool] = {
        let bytes = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        return (0..<128).map { bytes.contains($0) }
    }()
}
