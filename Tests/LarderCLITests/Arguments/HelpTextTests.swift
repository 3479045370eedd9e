import Testing

@testable import LarderCLI

@Suite struct HelpTextTests {
    @Test func aPageIsMadeFromTheDeclaration() {
        let spec = CommandSpec(
            "get", summary: "Get a document",
            details: "A first paragraph that is long enough to be broken into lines of sixty.\n\nA second one.",
            options: [
                .value("cache", "DIR", short: "c", help: "the larder's folder", default: "the user's own"),
                .repeated("header", "FIELD", help: "a field to send, which is a text that does not fit one line"),
                .flag("an-option-with-a-long-name", help: "told below"),
            ],
            positionals: [Positional("URL", help: "what to get"), Positional("FILE", help: "where to", .optional)],
            examples: [.init("get http://a/", "The simplest")])
        #expect(
            HelpText(tool: "larder", width: 60).page(for: spec) == """
                Get a document.

                Usage: larder get [--cache DIR] [--header FIELD]...
                         [--an-option-with-a-long-name] URL [FILE]

                A first paragraph that is long enough to be broken into
                lines of sixty.

                A second one.

                Arguments:
                  URL   what to get
                  FILE  where to

                Options:
                  -c, --cache DIR           the larder's folder (default:
                                            the user's own)
                      --header FIELD        a field to send, which is a text
                                            that does not fit one line (may
                                            be repeated)
                      --an-option-with-a-long-name
                                            told below
                  -h, --help                show this help

                Examples:
                  # The simplest
                  larder get http://a/

                """)
    }

    @Test func optionsInGroupsStandUnderTheirTitles() {
        let spec = CommandSpec(
            "feed", summary: "Show a list", options: [.flag("json", help: "as JSON")],
            groups: [.init("How far:", [.value("count", "N", help: "how many")])],
            positionals: [Positional("URL", help: "the list")],
            guides: [.init(title: "Operations:", rows: [("all", "everything")])])
        #expect(spec.options.map(\.name) == ["json", "count"])
        #expect(
            HelpText(tool: "larder", width: 60).page(for: spec) == """
                Show a list.

                Usage: larder feed [OPTIONS] URL

                Arguments:
                  URL  the list

                Operations:
                  all  everything

                Options:
                      --json  as JSON
                  -h, --help  show this help

                How far:
                      --count N  how many

                """)
    }
}
