import Testing

@testable import LarderCLI

@Suite struct ArgumentParserTests {
    static let cache = Option.value("cache", "DIR", short: "c", help: "a folder")
    static let header = Option.repeated("header", "FIELD", short: "H", help: "a field")
    static let quiet = Option.flag("quiet", short: "q", help: "say less")

    private func parse(_ arguments: String..., positionals: [Positional] = []) throws(UsageError) -> ParsedArguments {
        let spec = CommandSpec(
            "test", summary: "", options: [Self.cache, Self.header, Self.quiet], positionals: positionals)
        return try ArgumentParser(spec: spec).parse(arguments)
    }

    private func message(_ arguments: String..., positionals: [Positional] = []) -> String? {
        let spec = CommandSpec(
            "test", summary: "", options: [Self.cache, Self.header, Self.quiet], positionals: positionals)
        let error = #expect(throws: UsageError.self) { try ArgumentParser(spec: spec).parse(arguments) }
        return error?.description
    }

    @Test func aValueFollowsOrIsAttached() throws {
        #expect(try parse("--cache", "a")[Self.cache] == "a")
        #expect(try parse("--cache=a=b")[Self.cache] == "a=b")
        #expect(try parse("--cache", "-1")[Self.cache] == "-1")
        #expect(try parse("--cache=")[Self.cache]?.isEmpty == true)
        #expect(try parse("--cache=-x")[Self.cache] == "-x")
        #expect(try parse("--cache", "-")[Self.cache] == "-")
        #expect(try parse("-c", "a")[Self.cache] == "a")
        #expect(try parse()[Self.cache] == nil)
    }

    @Test func aRepeatedOptionKeepsAllInOrder() throws {
        #expect(
            try parse("--header", "A: 1", "-H", "B: 2", "--header=C: 3").all(Self.header) == ["A: 1", "B: 2", "C: 3"])
    }

    @Test func aFlagIsThereOrNot() throws {
        #expect(try parse("-q").has(Self.quiet))
        #expect(try parse("--quiet", "--quiet").has(Self.quiet))
        #expect(try !parse().has(Self.quiet))
    }

    @Test func optionsAndPositionalsMayMix() throws {
        let urls = [Positional("URL", help: "", .oneOrMore)]
        let parsed = try parse("a", "--cache", "d", "b", "-", "--", "--quiet", "--", positionals: urls)
        #expect(parsed.positionals == ["a", "b", "-", "--quiet", "--"])
        #expect(!parsed.has(Self.quiet))
        #expect(parsed.positional(1) == "b")
        #expect(parsed.positional(5) == nil)
    }

    @Test func positionalsAreCounted() throws {
        let two = [Positional("URL", help: ""), Positional("FILE", help: "", .optional)]
        #expect(try parse("a", positionals: two).positionals == ["a"])
        #expect(try parse("a", "b", positionals: two).positionals == ["a", "b"])
        #expect(message(positionals: two) == "URL is missing")
        #expect(message("a", "b", "c", positionals: two) == "unexpected argument 'c'")
        #expect(message("a") == "unexpected argument 'a'")
        #expect(message(positionals: [Positional("KEY", help: "", .oneOrMore)]) == "KEY is missing")
    }

    @Test func aMistakeIsToldWithTheWayOut() {
        #expect(message("--cahce", "a") == "unknown option --cahce; did you mean --cache?")
        #expect(message("--hepl") == "unknown option --hepl; did you mean --help?")
        #expect(message("--something-else") == "unknown option --something-else")
        #expect(
            message("-x", positionals: [Positional("ID", help: "")])?.hasSuffix("goes behind --, as in: -- -a") == true)
        #expect(message("-x")?.hasPrefix("unknown option -x") == true)
        #expect(message("--cache") == "--cache needs a value: --cache=DIR")
        #expect(message("--cache", "-x") == "--cache needs a value: --cache=DIR")
        #expect(message("--cache", "--quiet") == "--cache needs a value: --cache=DIR")
        #expect(message("--cache", "a", "-c", "b") == "--cache is given twice")
        #expect(message("--quiet=yes") == "--quiet takes no value")
    }
}
