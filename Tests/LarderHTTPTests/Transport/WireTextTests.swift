import Testing

@testable import LarderHTTP

@Suite struct WireTextTests {
    @Test(arguments: ["", "plain", "grün", "茶", "\u{FC}"]) func bytesSurviveBothWays(_ text: String) {
        let wire = WireText.value(from: text)
        #expect(wire.unicodeScalars.allSatisfy { $0.value < 0x100 })
        #expect(wire.unicodeScalars.count == text.utf8.count)
        #expect(WireText.text(of: wire) == text)
    }

    @Test func whatIsNoUTF8StaysAsItIs() {
        #expect(WireText.text(of: "\u{FC}") == "\u{FC}")
    }
}
