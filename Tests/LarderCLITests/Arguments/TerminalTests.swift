import Testing

@testable import LarderCLI

@Suite struct TerminalTests {
    @Test(arguments: [
        (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
        (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true),
    ])
    func coloursAreForTerminalsThatWantThem(isTerminal: Bool, environment: [String: String], hasColour: Bool) {
        let terminal = Terminal(isTerminal: isTerminal, columns: nil, environment: environment)
        #expect(terminal.hasColour == hasColour)
        #expect((terminal.styled("a", .red) == "a") == !hasColour)
    }

    @Test func theWidthIsTheTerminalsOrTheEnvironmentsOrEighty() {
        #expect(Terminal(isTerminal: true, columns: 120, environment: ["COLUMNS": "90"]).width == 120)
        #expect(Terminal(isTerminal: false, columns: nil, environment: ["COLUMNS": "90"]).width == 90)
        #expect(Terminal(isTerminal: false, columns: nil, environment: ["COLUMNS": "x"]).width == 80)
        #expect(Terminal(isTerminal: true, columns: 1, environment: [:]).width == 20)
    }
}
