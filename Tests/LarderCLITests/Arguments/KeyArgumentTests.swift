import Testing

@testable import LarderCLI

@Suite struct KeyArgumentTests {
    private func keys(_ positionals: [String], json: [String] = []) throws -> [String] {
        var arguments = ParsedArguments()
        positionals.forEach { arguments.add(positional: $0) }
        json.forEach { arguments.add(KeyArgument.json, $0) }
        return try KeyArgument.keys(arguments)
    }

    @Test func anyTextIsAKey() throws {
        #expect(try keys(["", "a b", "\u{FEFF}"]) == ["", "a b", "\u{FEFF}"])
    }

    @Test func whatAnArgumentCannotCarryIsGivenAsJSON() throws {
        #expect(try keys(["a"], json: [#""nul\u0000byte""#, #""\n""#, #""""#]) == ["a", "nul\0byte", "\n", ""])
        #expect(try keys([], json: [#""\ud83d\ude00""#]) == ["😀"])
    }

    @Test(arguments: ["", "a", "1", "null", #""\ud800""#, #""open"#, #"["a"]"#])
    func whatIsNoJSONStringIsAMistake(text: String) {
        #expect(throws: UsageError.self) { try keys([], json: [text]) }
    }

    @Test func oneKeyIsOneKey() {
        var arguments = ParsedArguments()
        #expect(throws: UsageError("KEY is missing ('' is the empty one)")) { try KeyArgument.key(arguments) }
        arguments.add(positional: "a")
        arguments.add(KeyArgument.json, #""b""#)
        #expect(throws: UsageError.self) { try KeyArgument.key(arguments) }
    }

    @Test(arguments: [
        ("profile", "profile"), ("it's", #"'it'\''s'"#), ("", "''"), ("-a", "-- -a"),
        ("a\0b\n'", #"--key-json '"a\u0000b\u000a\u0027"'"#), ("\u{202E}x", #"--key-json '"\u202ex"'"#),
    ])
    func aKeyIsWrittenAsItMayBeTyped(key: String, word: String) {
        #expect(KeyArgument.word(for: key) == word)
    }

    @Test(arguments: ["", "a'\"\\", "nul\0", "e\u{301}😀", "\u{202E}"])
    func asJSONItIsTheSameByteByByte(key: String) throws {
        #expect(try keys([], json: [KeyArgument.ascii(key)]).map { Array($0.utf8) } == [Array(key.utf8)])
    }
}
