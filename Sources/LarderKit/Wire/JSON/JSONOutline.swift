/// What stands in an answer where something else was looked for: the kind of the value and, of an object, some names.
/// Names belong to the shape of an answer and may be logged; values may not, and are not in here.
package struct JSONOutline: Sendable, Hashable {
    /// How many names are kept, and how many characters of each.
    static let limits = (names: 8, characters: 40)

    package let path: JSONPath
    package let kind: JSONKind
    /// The first names of an object, with control characters replaced.
    package let names: [String]
    /// How many names there are beside ``names``.
    package let furtherNames: Int
    /// Where a list might be meant instead: the value itself or its first member that is an array.
    package let nearestArray: JSONPath?

    /// Looks at the value that starts at `offset` of a text already found valid.
    init(of bytes: UnsafeRawBufferPointer, at offset: Int, path: JSONPath) throws(JSONFault) {
        self.path = path
        kind = JSONKind(startingWith: bytes[offset])
        var names: [String] = []
        var count = 0
        var nearestArray = kind == .array ? path : nil
        var scanner = JSONScanner(bytes, at: offset)
        if kind == .object, try scanner.enterObject() {
            repeat {
                let name = scanner.text(of: try scanner.skipName())
                if let name, nearestArray == nil, scanner.next == ASCII.openBracket {
                    nearestArray = path.appending(.key(Array(name.utf8)))
                }
                if names.count < Self.limits.names {
                    names.append(Self.printable(name ?? "?"))
                }
                count += 1
                try scanner.skipValue()
            } while try scanner.nextMember()
        }
        self.names = names
        self.nearestArray = nearestArray
        furtherNames = count - names.count
    }

    private static func printable(_ name: String) -> String {
        let scalars = name.unicodeScalars.prefix(limits.characters).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                ? "\u{FFFD}" : String(scalar)
        }
        return scalars.joined() + (name.unicodeScalars.count > limits.characters ? "…" : "")
    }
}

extension JSONOutline: CustomStringConvertible {
    package var description: String {
        let subject = path == .root ? "the top level" : "\(path)"
        guard kind == .object else { return "\(subject) is \(kind)" }
        guard !names.isEmpty else { return "\(subject) is an object without any member" }
        let further = furtherNames == 0 ? "" : " and \(furtherNames) more"
        return "\(subject) is an object with the names \(names.joined(separator: ", "))\(further)"
    }
}
