import Foundation
import LarderKit
import Testing

@Suite("An answer is split into its items")
struct JSONItemsTests {
    @Test("Each item is exactly its bytes, without the white space around it")
    func exactBytes() throws {
        let text = "{ \"results\" : [ {\"id\" : 1 ,\n\t\"x\":1.50} ,{\"id\":2}\r\n, [ ] ] , \"next\":null }"
        let items = try split(text, at: "$.results")
        #expect(items.map(\.text) == ["{\"id\" : 1 ,\n\t\"x\":1.50}", "{\"id\":2}", "[ ]"])
        #expect(items.map(\.id) == ["1", "2", nil])
    }

    @Test("Ids keep every digit, and a number and its string form are one id")
    func digits() throws {
        let items = try split(
            """
            [{"id":18446744073709551615},{"id":9223372036854775807},{"id":738529527931269426},
             {"id":"738529527931269426"},{"id":9007199254740993},{"id":123456789012345678901234567890}]
            """)
        #expect(
            items.map(\.id) == [
                "18446744073709551615", "9223372036854775807", "738529527931269426", "738529527931269426",
                "9007199254740993", "123456789012345678901234567890",
            ])
    }

    @Test(
        "What stands where the id should be",
        arguments: [
            (#"{"id":"a"}"#, "a"), (#"{"id":0}"#, "0"), (#"{"id":-0}"#, "-0"), (#"{"id":1.50}"#, "1.50"),
            (#"{"id":1E2}"#, "1E2"), (#"{"id":"a\u0000b"}"#, "a\u{0}b"), (#"{"id":"\ud83d\ude00"}"#, "😀"),
            (#"{"id":"\u00e9\t\/\"\\"}"#, "é\t/\"\\"), (#"{"id":" 1 "}"#, " 1 "), (#"{"id":"é😀"}"#, "é😀"),
            (#"{"id":"\uD800\uDC00\uDBFF\uDFFF"}"#, "\u{10000}\u{10FFFF}"), (#"{"id":"\b\f\n\r"}"#, "\u{8}\u{C}\n\r"),
            // Nothing that is an id.
            (#"{"id":""}"#, nil), (#"{"id":null}"#, nil), (#"{"id":true}"#, nil), (#"{"id":{}}"#, nil),
            (#"{"id":["1"]}"#, nil), (#"{"ID":"1"}"#, nil), (#"{}"#, nil), (#""id""#, nil), ("1", nil), ("[1]", nil),
            // Half a surrogate pair cannot be said in UTF-8.
            (#"{"id":"\ud83d"}"#, nil), (#"{"id":"x\ude00"}"#, nil), (#"{"id":"\ud83d\u0041"}"#, nil),
            (#"{"id":"\ud83d\ud83d\ude00"}"#, nil), (#"{"id":"\ud83dx12345"}"#, nil), (#"{"id":"\ud83d\n12345"}"#, nil),
            // Names compare with their escapes resolved.
            (#"{"\u0069d":"1"}"#, "1"), (#"{"\u0069\u0064":"1"}"#, "1"), (#"{"id\u0000":"1"}"#, nil),
            (#"{"i\ud83d":"2","id":"1"}"#, "1"), (#"{"i":"2","idd":"3","id":"1"}"#, "1"),
            // The first of equal names counts.
            (#"{"id":"1","id":"2"}"#, "1"), (#"{"id":null,"id":"2"}"#, nil), (#"{"\u0069d":"1","id":"2"}"#, "1"),
            // Only the item's own member.
            (#"{"account":{"id":"9"},"id":"1"}"#, "1"), (#"{"account":{"id":"9"}}"#, nil),
        ] as [(String, String?)])
    func identity(item: String, id: String?) throws {
        let items = try split("[\(item)]")
        #expect(items.map(\.text) == [item])
        #expect(items.map(\.id) == [id.map { ItemID($0) }])
    }

    @Test(
        "The id may lie deeper, at a place in an array, or be the item itself",
        arguments: [
            (#"[{"a":{"b c":"1"}}]"#, "$.a['b c']", "1"), (#"[["x","2"]]"#, "[1]", "2"), ("[3]", "$", "3"),
            (#"[{"a":[{"id":4}]}]"#, "a[0].id", "4"), ("[[0]]", "[1]", nil), (#"[{"a":5}]"#, "a.id", nil),
            (#"[{"a":5,"a":{"id":6}}]"#, "a.id", nil), ("[[]]", "[0]", nil), ("[{}]", "['']", nil),
            (#"[{"":7}]"#, "['']", "7"),
        ] as [(String, String, String?)])
    func idPaths(text: String, path: String, id: String?) throws {
        #expect(try split(text, id: path).map(\.id) == [id.map { ItemID($0) }])
    }

    @Test("An empty array has no items", arguments: ["[]", "[ \n ]"])
    func emptyArray(text: String) throws {
        #expect(try split(text).isEmpty)
    }

    @Test("Of two arrays under one name the first counts")
    func firstArray() throws {
        #expect(try split(#"{"a":[{"id":1}],"a":[{"id":2}]}"#, at: "a").map(\.id) == ["1"])
    }

    @Test(
        "An answer that is invalid anywhere gives no item at all",
        arguments: [
            #"{"a":[{"id":1}],"b":01}"#, #"{"a":[{"id":1}]} x"#, #"{"a":[{"id":1},]}"#,
            "{\"a\":[{\"id\":1}],\"b\":\"\t\"}",
            #"{"a":[{"id":1}]"#, #"{"a":[{"id":1,"x":'y'}]}"#, #"{"b":+1,"a":[{"id":1}]}"#, #"{"x":NaN}"#,
        ])
    func allOrNothing(text: String) {
        let error = #expect(throws: JSONSplitError.self) { try split(text, at: "a") }
        switch error {
        case .notJSON, .isCut: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test("An item nested as deep as the limit allows is kept, a deeper one refuses the answer")
    func depthWithinItems() throws {
        let fits = "[" + String(repeating: "[", count: 511) + String(repeating: "]", count: 511) + "]"
        #expect(try split(fits).count == 1)
        #expect(throws: JSONSplitError.tooDeep(offset: 512)) { try split("[" + fits + "]") }
    }

    @Test("A path as long as the deepest answer finds its value")
    func longPath() throws {
        let depth = 511
        let path = JSONPath(steps: Array(repeating: .index(0), count: depth))
        let text = String(repeating: "[", count: depth + 1) + "1" + String(repeating: "]", count: depth + 1)
        #expect(try JSONSplitter.items(in: Data(text.utf8), at: path, id: .root).map(\.id) == ["1"])
    }

    @Test(
        "Texts that trouble other parsers keep their bytes",
        arguments: [
            (#"{"id":"1","text":""}"#, "1"), (#"{"id":"2","text":"a\u0000b"}"#, "2"),
            (#"{"id":"3","text":"\ud83d"}"#, "3"),
            ("{\"id\":\"4\",\"text\":\"\\ud83d\\ude00 \u{202E}abc\"}", "4"),
            ("{\"id\":\"5\",\"text\":\"\(String(repeating: "😀", count: 5000))\"}", "5"),
            (#"{"id":6,"a":1e400,"b":-0,"c":0.1000000000000000055511151231257827,"c":2}"#, "6"),
        ])
    func troubleTexts(item: String, id: String) throws {
        let items = try split("[\(item),\(item)]")
        #expect(items.map(\.text) == [item, item])
        #expect(items.map(\.id) == [ItemID(id), ItemID(id)])
    }

    @Test("Ranges count from the first byte of a slice")
    func slices() throws {
        let slice = Data("garbage[1, 22]".utf8).dropFirst(7)
        #expect(try JSONSplitter.items(in: slice, at: .root, id: .root).map(\.range) == [1..<2, 4..<6])
    }

    @Test(
        "A single value is found at its path",
        arguments: [
            (#"{"next":"abc","a":[1,{"b":null}]}"#, "next", "\"abc\""), (#" { "n" : 1.0 } "#, "$.n", "1.0"),
            (#" {"a":1} "#, "$", #"{"a":1}"#), (#"{"a":[1,{"b": null }]}"#, "a[1].b", "null"),
            ("[[1],[2]]", "[1][0]", "2"),
            (#"{"a":1}"#, "b", nil), (#"{"a":1}"#, "a.b", nil), (#"{"a":[1]}"#, "a[1]", nil),
            (#"{"a":[1]}"#, "a.b", nil),
            (#"{"a":{"0":1}}"#, "a[0]", nil), ("{}", "a", nil), ("[]", "[0]", nil), ("1", "$", "1"),
            (#"{"a":1,"a":{"b":2}}"#, "a.b", nil), ("{\"e\u{301}\":1,\"\u{E9}\":2}", "\u{E9}", "2"),
        ] as [(String, String, String?)])
    func singleValue(text: String, path: String, value: String?) throws {
        let range = try JSONSplitter.range(of: JSONPath(path), in: Data(text.utf8))
        #expect(range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } == value)
    }

    private func split(
        _ text: String, at path: String = "$", id: String = "$.id"
    ) throws -> [(text: String, id: ItemID?)] {
        let bytes = Array(text.utf8)
        return try JSONSplitter.items(in: Data(bytes), at: JSONPath(path), id: JSONPath(id)).map { item in
            (String(decoding: bytes[item.range], as: UTF8.self), item.id)
        }
    }
}
