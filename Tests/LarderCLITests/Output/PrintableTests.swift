import Testing

@testable import LarderCLI

@Suite struct PrintableTests {
    @Test(
        arguments: [
            ("plain", "plain"), ("  a \t\n b\u{2028}c  ", "a b c"), ("\u{1B}[31mred\u{7}", "�[31mred�"),
            ("a\u{202E}b\u{200B}c", "abc"), ("👩‍👧 x", "👩‍👧 x"), ("日本\u{3000}語", "日本 語"), ("", ""),
        ])
    func nothingSteersTheTerminalOrBreaksTheLine(text: String, line: String) {
        #expect(Printable.line(text) == line)
    }

    @Test(arguments: [("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("☕️", 2), ("👩‍👧", 2), ("カナ", 4), ("한", 2)])
    func widthsAreThoseOfATerminal(text: String, columns: Int) {
        #expect(Printable.columns(of: text) == columns)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab", 1, "…"),
    ])
    func whatIsTooWideIsCutWithAMark(text: String, width: Int, cut: String) {
        #expect(Printable.cut(text, to: width) == cut)
        #expect(Printable.columns(of: cut) <= width)
    }

    @Test func columnsAreFilled() {
        #expect(Printable.padded("日", to: 4) == "日  ")
        #expect(Printable.aligned("12", to: 4) == "  12")
        #expect(Printable.aligned("12345", to: 4) == "12345")
    }
}
