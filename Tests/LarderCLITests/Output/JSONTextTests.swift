import Foundation
import Testing

@testable import LarderCLI

@Suite struct JSONTextTests {
    private func text(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }

    @Test func piecesAreJSONAndBytesStay() {
        let served = JSONText.verbatim(Data("{ \"n\" : 1e400,\n\"n\":\"\\u00e9\" }".utf8))
        let object = JSONText.object([
            ("items", .array([served, served])), ("none", .array([])), ("yes", .bool(true)),
            ("age", .seconds(.milliseconds(1205))),
            ("null", .null), ("count", .number(-3)),
        ])
        #expect(
            text(object)
                == "{\"items\":[\(text(served)),\(text(served))],\"none\":[],\"yes\":true,\"age\":1.205,\"null\":null,\"count\":-3}"
        )
    }

    @Test func everyStringReadsBackAsItWas() throws {
        let strings = ["", "plain", "\"\\/", "line\nend\r\t\u{0}\u{1F}\u{7F}", "größer 日本 👩‍👧 \u{2028}"]
        for string in strings {
            #expect(try JSONDecoder().decode(String.self, from: JSONText.string(string).bytes) == string)
        }
    }

    @Test func whatIsAbsentIsNull() {
        #expect(text(String?.none.json(JSONText.string)) == "null")
        #expect(text(String?.some("a").json(JSONText.string)) == "\"a\"")
    }

    @Test func onOneLineOnlyWhatStandsBetweenChanges() {
        let text = Data("{\n\"a\":\t1,\r\n\"b\":\"x\\ny\"}".utf8)
        #expect(JSONText.onOneLine(text).bytes == Data("{ \"a\":\t1,  \"b\":\"x\\ny\"}".utf8))
    }
}
