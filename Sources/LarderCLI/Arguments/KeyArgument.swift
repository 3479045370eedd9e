import Foundation

/// A key as a command line names it: as an argument, or as JSON, since an argument holds no NUL and not every key can be
/// typed. Any text is a key, the empty one as well; keys are compared byte by byte, so that two normal forms of one
/// character are two keys.
enum KeyArgument {
    static let json = Option.repeated(
        "key-json", "JSON", help: #"a key as a JSON string, for what cannot be typed: '"nul\u0000byte"'"#)

    /// All keys of a command line, those in JSON last.
    static func keys(_ arguments: ParsedArguments) throws(UsageError) -> [String] {
        var keys = arguments.positionals
        for text in arguments.all(json) { keys.append(try key(json: text)) }
        return keys
    }

    /// The one key of a command line.
    static func key(_ arguments: ParsedArguments) throws(UsageError) -> String {
        let keys = try keys(arguments)
        guard let key = keys.first else { throw UsageError("KEY is missing ('' is the empty one)") }
        guard keys.count == 1 else { throw UsageError("it takes one key, and \(keys.count) are given") }
        return key
    }

    private static func key(json text: String) throws(UsageError) -> String {
        do { return try JSONDecoder().decode(String.self, from: Data(text.utf8)) } catch {
            throw UsageError(
                #"--key-json takes a JSON string, in double quotes that the shell leaves alone: '"a\nb"'. A surrogate "#
                    + "without its other half is no text, and so no key")
        }
    }

    /// What to type to name a key: as a word, or as JSON where a word would not do.
    static func word(for key: String) -> String {
        guard let word = ShellWord.quoted(key) else { return "--key-json '\(ascii(key))'" }
        return key.hasPrefix("-") ? "-- \(word)" : word
    }

    /// A key as JSON in which every character can be seen, and none means anything between single quotes.
    static func ascii(_ key: String) -> String {
        let units = key.utf16.map { unit -> String in
            let isPlain = (0x20..<0x7F).contains(unit) && ![0x22, 0x27, 0x5C].contains(unit)
            if isPlain { return String(UnicodeScalar(UInt8(unit))) }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + units.joined() + "\""
    }
}
