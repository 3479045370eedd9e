import Foundation
import Testing

@testable import LarderCLI

@Suite struct ShellWordTests {
    @Test(arguments: ["1042", "at://a.b/c_d-e:1@2,+", "-a"])
    func whatEveryShellTakesForItselfStays(text: String) {
        #expect(ShellWord.quoted(text) == text)
    }

    @Test(arguments: ["", "a b", "$(reboot)", "it's", "'';x", "`x`", "*", "~", "#1", "a=b", "größer", "a\\n", "!!"])
    func aShellReadsBackWhatWasQuoted(text: String) async throws {
        let word = try #require(ShellWord.quoted(text))
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "printf %s. \(word)"]
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: output, as: UTF8.self) == text + ".")
    }

    @Test(arguments: ["a\nb", "\u{1B}[2J", "a\u{202E}b", "\u{0}", "a\u{200B}"])
    func whatIsNotSeenAsItIsCannotBeTyped(text: String) {
        #expect(ShellWord.quoted(text) == nil)
        #expect(ShellWord.position("older", text) == nil)
    }

    @Test func aPlaceBehindAnIDThatLooksLikeAnOptionGoesBehindTheHyphens() {
        #expect(ShellWord.position("older", "-a") == "older -- -a")
        #expect(ShellWord.position("newer", "-it's") == #"newer -- '-it'\''s'"#)
        #expect(ShellWord.position("newer", "5") == "newer 5")
    }
}
