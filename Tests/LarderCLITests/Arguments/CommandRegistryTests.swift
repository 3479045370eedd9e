import Testing

@testable import LarderCLI

@Suite struct CommandRegistryTests {
    struct Fetch: Command {
        static let size = Option.value("size", "N", help: "how much", default: "all")
        static let spec = CommandSpec(
            "fetch", summary: "Fetch a thing", details: "First paragraph.\n\nSecond paragraph.", options: [size],
            positionals: [Positional("URL", help: "what to fetch")], examples: [.init("fetch --size 3 URL", "Three")])

        let size: Int?

        init(_ arguments: ParsedArguments) throws { size = try arguments.int(Self.size, in: 1...9) }

        func run() async throws -> ExitCode { .success }
    }

    let registry = CommandRegistry(tool: "tool", about: "About it.", version: "1.2.3", commands: [Fetch.self])

    private func shown(_ arguments: String...) -> String? {
        guard case .show(let text) = registry.decide(arguments) else { return nil }
        return text
    }

    private func refused(_ arguments: String...) -> String? {
        guard case .refuse(let text, _) = registry.decide(arguments) else { return nil }
        return text
    }

    @Test func aCommandIsMadeFromItsArguments() throws {
        guard case .run(let command) = registry.decide(["fetch", "--size", "3", "http://a/"]) else {
            Issue.record("not run")
            return
        }
        #expect((command as? Fetch)?.size == 3)
    }

    @Test func helpIsFoundHoweverItIsAskedFor() {
        let page = shown("help", "fetch")
        #expect(page != nil)
        #expect(shown("fetch", "--help") == page)
        #expect(shown("fetch", "-h", "--nonsense") == page)
        let overview = shown("--help")
        #expect(overview?.contains("  fetch  Fetch a thing\n") == true)
        #expect(shown("-h") == overview)
        #expect(shown("help") == overview)
    }

    @Test func helpBehindTwoHyphensIsAnArgument() {
        #expect(shown("fetch", "--", "--help") == nil)
    }

    @Test func theVersionIsShown() {
        #expect(shown("--version") == "tool 1.2.3\n")
    }

    @Test func nothingAskedIsRefusedWithTheOverview() {
        #expect(refused() == shown("--help"))
    }

    @Test func anUnknownCommandIsRefusedWithTheNearest() {
        #expect(refused("fetsh")?.hasPrefix("tool: unknown command 'fetsh'; did you mean fetch?\n") == true)
        #expect(refused("help", "fetsh")?.hasPrefix("tool: unknown command 'fetsh'; did you mean fetch?\n") == true)
        #expect(refused("--verison")?.hasPrefix("tool: unknown option '--verison'; did you mean --version?\n") == true)
        #expect(refused("bake")?.hasPrefix("tool: unknown command 'bake'\n") == true)
    }

    @Test func aCommandsOwnMistakeNamesItAndItsHelp() {
        let text = refused("fetch", "--size", "10", "http://a/")
        #expect(
            text
                == "tool fetch: --size takes a whole number from 1 to 9, not '10'\n'tool help fetch' shows what it takes.\n"
        )
    }

    @Test func everyShippedCommandHasANameOfItsOwnAndHelpThatFits() {
        let specs = CommandRegistry.standard.commands.map { $0.spec }
        #expect(Set(specs.map(\.name)).count == specs.count)
        for spec in specs {
            #expect(!spec.summary.hasSuffix("."), "\(spec.name)")
            #expect(Set(spec.options.map(\.name)).count == spec.options.count, "\(spec.name)")
            let page = HelpText(tool: "larder", width: 80).page(for: spec)
            let long = page.split(separator: "\n").filter { $0.count > 80 }
            #expect(long.isEmpty, "\(spec.name)")
        }
    }
}
