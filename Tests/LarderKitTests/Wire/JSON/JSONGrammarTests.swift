import Foundation
import LarderKit
import Testing

@Suite("The splitter accepts what RFC 8259 calls JSON, and nothing else")
struct JSONGrammarTests {
    @Test(
        "Valid texts are accepted",
        arguments: [
            // Any value may be the whole text (section 2), in any white space.
            "null", "true", "false", "0", "\"\"", "[]", "{}", " \t\r\n[ ]\n", "{ }", "\n\"x\"\r",
            // Numbers (section 6).
            "-0", "0.0", "-0.1e-7", "1E400", "1e+1", "10", "123456789012345678901234567890", "18446744073709551615",
            "0e0", "1.5E-10", "0.00000000000000000000000000000000000001",
            // Strings (section 7).
            #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\uD83D\uDE00""#, #""\uAbCd""#, "\"\u{7F}\"",
            #""\u002f""#, "\"é漢😀\"", "\"\u{2028}\u{2029}\"", "\"\u{FEFF}\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"",
            // Half a surrogate pair is within the grammar (section 8.2).
            #""\ud83d""#, #""\ude00""#, #""\ud83d\ud83d""#, #""\ud83dx""#,
            // Containers.
            "[1,2 , 3]", "[[],[[]],{}]", #"{"a":1,"a":2}"#, #"{"":0}"#, #"{"a":{"b":[{"c":null}]}}"#,
            #"[ { "a" : [ true , false ] } ]"#, "[\"12345678\",\"1234567\"]",
        ])
    func accepts(text: String) throws {
        try JSONSplitter.validate(Data(text.utf8))
    }

    @Test(
        "Invalid texts are refused at the byte that is wrong",
        arguments: [
            // What JSON5 and friends allow.
            ("[1,2,]", 5), ("{\"a\":1,}", 7), ("{a:1}", 1), ("['a']", 1), ("[NaN]", 1), ("[Infinity]", 1),
            ("[-Infinity]", 2), ("[+1]", 1), ("[0x10]", 2), ("[1] // c", 4), ("/* c */ 1", 0), ("[.5]", 1),
            ("[1.]", 3), ("[\"a\\\nb\"]", 4), ("[,1]", 1), ("[1,,2]", 3),
            // Numbers.
            ("01", 1), ("-01", 2), ("00", 1), ("[1e]", 3), ("[1e+]", 4), ("[-]", 2), ("[1.e1]", 3), ("[1.2.3]", 4),
            ("[1 2]", 3), ("[--1]", 2), ("[1e1.5]", 4), ("[１]", 1), ("1_000", 1), ("[1e-]", 4), ("[0.-1]", 3),
            // Strings.
            ("\"a\nb\"", 2), ("\"\t\"", 1), ("\"\u{0}\"", 1), ("\"\u{1F}\"", 1), (#""\x41""#, 2), (#""\a""#, 2),
            (#""\U0041""#, 2), (#""\u00g0""#, 5), (#""\u123""#, 6), (#"["\u"]"#, 4), ("\"12345678\n\"", 9),
            ("\"\u{1F}1234567\"", 1), ("\"123\u{0}4567\"", 4),
            ("\"1234567\n\"", 8), ("\"123456\n\"", 7),
            // Literals.
            ("nul1", 0), ("True", 0), ("nULL", 0), ("truex", 4), ("[falsee]", 6), ("undefined", 0),
            // Structure.
            ("[1}", 2), ("{\"a\":1]", 6), ("{1:2}", 1), ("{\"a\" 1}", 5), ("{\"a\",1}", 4), ("{\"a\":}", 5),
            ("{\"a\"::1}", 5), ("{,}", 1), ("[1]]", 3), ("{}{}", 2), ("1 2", 2), ("[] x", 3), ("]", 0), ("}", 0),
            (":", 0), (",", 0), ("{\"a\":1 \"b\":2}", 7), ("{\"a\":1,1}", 7), ("*", 0), ("null\u{0}", 4),
            // White space is four characters.
            ("\u{A0}1", 0), ("1\u{C}", 1), ("[1,\u{B}2]", 3), ("\u{2028}1", 0), ("[\u{85}]", 1), ("\u{0}1", 0),
        ])
    func refuses(text: String, offset: Int) {
        expect(Array(text.utf8), isRefusedAt: offset)
    }

    @Test("A cut text is refused as cut, wherever the cut is")
    func cutTexts() throws {
        let text = Array(#"{"id":"1","n":[-1.5e+7,true,null,{}],"t":"é \u00e9 😀"}"#.utf8)
        for length in 1..<text.count {
            let error = try #require(throws: JSONSplitError.self) {
                try JSONSplitter.validate(Data(text.prefix(length)))
            }
            guard case .isCut(let byteCount, _) = error else {
                Issue.record("cut to \(length) bytes: \(error)")
                continue
            }
            #expect(byteCount == length)
        }
        try JSONSplitter.validate(Data(text))
    }

    @Test("A text of nothing but white space has no content", arguments: ["", " ", "\r\n\t "])
    func empty(text: String) {
        #expect(throws: JSONSplitError.isEmpty) { try JSONSplitter.validate(Data(text.utf8)) }
    }

    @Test("HTML is told apart", arguments: ["<!doctype html>", "\n  <html>", "<", "<?xml version=\"1.0\"?>"])
    func html(text: String) {
        #expect(throws: JSONSplitError.looksLikeHTML) { try JSONSplitter.validate(Data(text.utf8)) }
    }

    @Test(
        "A byte order mark is refused",
        arguments: [[0xEF, 0xBB, 0xBF, 0x31], [0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31]])
    func byteOrderMark(bytes: [UInt8]) {
        #expect(throws: JSONSplitError.notJSON(offset: 0, expected: .noByteOrderMark)) {
            try JSONSplitter.validate(Data(bytes))
        }
    }

    @Test(
        "Bytes that RFC 3629 does not call UTF-8 are refused",
        arguments: [
            // Continuation bytes alone, and bytes that never occur.
            ([0x80], 0), ([0xBF], 0), ([0xFE], 0), ([0xFF], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xF8, 0x88, 0x80], 0),
            // Overlong forms.
            ([0xC0, 0xAF], 0), ([0xC1, 0xBF], 0), ([0xE0, 0x80, 0xAF], 1), ([0xE0, 0x9F, 0xBF], 1),
            ([0xF0, 0x80, 0x80, 0xAF], 1), ([0xF0, 0x8F, 0xBF, 0xBF], 1),
            // Surrogates, and what lies beyond U+10FFFF.
            ([0xED, 0xA0, 0x80], 1), ([0xED, 0xBF, 0xBF], 1), ([0xF4, 0x90, 0x80, 0x80], 1),
            // Too few continuation bytes.
            ([0xC3], 1), ([0xE2, 0x82], 2), ([0xF0, 0x9F, 0x98], 3), ([0xE2, 0x28, 0xA1], 1), ([0xF0, 0x9F, 0x41], 2),
            // Right next to text that is well-formed.
            ([0xC3, 0xA9, 0xC3], 3), ([0x41, 0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80, 0xA0], 7),
        ])
    func malformedUTF8(bytes: [UInt8], offset: Int) {
        expect([0x22] + bytes + [0x22], isRefusedAt: 1 + offset)
        expect(Array("{\"".utf8) + bytes + Array("\":1}".utf8), isRefusedAt: 2 + offset)
    }

    @Test("512 levels are accepted and one more is not, whatever they are made of")
    func depth() throws {
        for (open, close) in [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")] {
            let levels = open.hasPrefix("[{") ? 2 : 1
            let fits = 512 / levels
            try JSONSplitter.validate(nested(open, close, fits))
            let tooDeep = nested(open, close, fits) { levels == 2 ? "[\($0)]" : open + $0 + close }
            #expect(throws: JSONSplitError.tooDeep(offset: open.utf8.count * fits)) {
                try JSONSplitter.validate(tooDeep)
            }
        }
    }

    @Test("A million brackets are refused without a crash")
    func abyss() {
        #expect(throws: JSONSplitError.tooDeep(offset: 512)) {
            try JSONSplitter.validate(Data(repeating: 0x5B, count: 1_000_000))
        }
    }

    private func nested(_ open: String, _ close: String, _ count: Int, core: (String) -> String = { $0 }) -> Data {
        Data((String(repeating: open, count: count) + core("1") + String(repeating: close, count: count)).utf8)
    }

    private func expect(
        _ bytes: [UInt8], isRefusedAt offset: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: JSONSplitError.self, sourceLocation: sourceLocation) {
            try JSONSplitter.validate(Data(bytes))
        }
        guard case .notJSON(let found, _) = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(found == offset, sourceLocation: sourceLocation)
    }
}
