import Testing

@testable import LarderCLI

@Suite struct RemoveCommandTests {
    private func command(_ line: String..., isAsked: Bool = true) throws -> RemoveCommand {
        try RemoveCommand(ArgumentParser(spec: RemoveCommand.spec).parse(line), isAsked: isAsked)
    }

    @Test func whoSitsThereIsAskedBeforeMuchGoes() throws {
        for line in [["--all"], ["--partition", "anna"], ["--prefix", ""]] {
            let arguments = try ArgumentParser(spec: RemoveCommand.spec).parse(line)
            #expect(throws: UsageError.self) { try RemoveCommand(arguments, isAsked: true) }
            _ = try RemoveCommand(arguments, isAsked: false)
            _ = try RemoveCommand(try ArgumentParser(spec: RemoveCommand.spec).parse(line + ["--yes"]), isAsked: true)
        }
    }

    @Test func theQuestionNamesWhatWouldGo() {
        let message = #expect(throws: UsageError.self) { try command("--partition", "anna", "--cache", "/c") }
        #expect(message?.description == "this removes all of the account anna from /c: if that is meant, say --yes")
    }

    @Test func aKeyOrAPrefixIsEnoughOfAWord() throws {
        #expect(try command("a", "--key-json", #""b""#).what == .keys(["a", "b"]))
        #expect(try command("").what == .keys([""]))
        #expect(try command("--prefix", "a").what == .prefix("a"))
        #expect(try command("a", "--partition", "anna").what == .keys(["a"]))
        #expect(try command("--partition", "", isAsked: false).what == .partition)
    }
}
