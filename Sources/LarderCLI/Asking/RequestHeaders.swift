import LarderKit

/// The header fields a user asks to be sent with every request.
struct RequestHeaders: Sendable, Hashable {
    let fields: HeaderFields
    /// Those that an account may stand behind: the answers then belong to it, and to nobody else.
    var credentials: [HeaderFields.Field] { fields.fields.filter { SecretName.isSecret($0.name) } }

    /// - Parameter lines: Fields as `Name: value`.
    /// - Throws: ``UsageError``, which never repeats a value: it may be a token.
    init(_ lines: [String]) throws(UsageError) {
        var fields = HeaderFields()
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else {
                throw UsageError("--header takes 'Name: value', and one of those given has no colon")
            }
            let name = String(line[..<colon])
            guard Self.isToken(name) else {
                throw UsageError("--header takes 'Name: value', and one of the names given is not a word")
            }
            let value = line[line.index(after: colon)...].trimmingPrefix { $0 == " " || $0 == "\t" }
            guard !value.isEmpty else {
                throw UsageError(
                    "the header \(name) has no value; put the whole field in quotes: --header '\(name): …'")
            }
            guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
                throw UsageError("the value of the header \(name) has a line break or another control character in it")
            }
            guard !Self.reserved.contains(name.lowercased()) else {
                throw UsageError("the header \(name) is the cache's own to send; leave it out")
            }
            fields.append(name: name, value: String(value))
        }
        self.fields = fields
    }

    /// What would make an answer one to another request than the cache believes.
    private static let reserved: Set = [
        "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range", "host",
        "content-length", "transfer-encoding", "connection",
    ]

    /// RFC 9110 section 5.6.2.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }
}
