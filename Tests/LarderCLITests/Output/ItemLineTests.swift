import Foundation
import LarderKit
import Testing

@testable import LarderCLI

@Suite struct ItemLineTests {
    @Test(
        arguments: [
            (#"{"id":1,"name":"n","title":"T\u00e9"}"#, "Té"), (#"{"id":1,"title":null,"name":"n"}"#, "n"),
            (#"{"content":"","name":"n"}"#, "n"), (#"{"content":"<p>a &amp; <b>b</b></p>\n<p>c</p>"}"#, "a & b c"),
            (#"{"text":"1 < 2"}"#, "1 < 2"), (#"{ "id" : 1,\#n "x" : [ ] }"#, #"{ "id" : 1, "x" : [ ] }"#),
            ("3", "3"), (#"{"title":{"a":1},"id":2}"#, #"{"title":{"a":1},"id":2}"#),
        ])
    func anItemIsKnownByWhatAReaderKnowsItBy(json: String, preview: String) {
        #expect(ItemLine.preview(of: Data(json.utf8)) == preview)
    }

    @Test func linesAreCutToTheWidth() {
        let items: [(ItemID, Data)] = [("7", Data(#"{"title":"abcdefghijklmnop"}"#.utf8)), ("12345", Data("1".utf8))]
        #expect(ItemLine.lines(for: items, width: 20) == ["7      abcdefghijkl…", "12345  1"])
    }
}
