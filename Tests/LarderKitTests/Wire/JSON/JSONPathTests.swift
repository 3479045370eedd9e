import LarderKit
import Testing

@Suite("A JSON path names one value")
struct JSONPathTests {
    private static func key(_ name: String) -> JSONPath.Step { .key(Array(name.utf8)) }

    @Test(
        "Every spelling of a path is read",
        arguments: [
            ("$", []),
            ("$.a.b", [key("a"), key("b")]),
            ("a.b", [key("a"), key("b")]),
            ("a", [key("a")]),
            ("$['a']", [key("a")]),
            ("['a']", [key("a")]),
            ("[\"a b\"]", [key("a b")]),
            ("[0]", [.index(0)]),
            ("$[12].id", [.index(12), key("id")]),
            ("data[0]['x.y'].z", [key("data"), .index(0), key("x.y"), key("z")]),
            ("$['']", [key("")]),
            ("$['$']", [key("$")]),
            ("$['@odata.nextLink']", [key("@odata.nextLink")]),
            (#"['it\'s']"#, [key("it's")]),
            (#"["a\"b\\c"]"#, [key(#"a"b\c"#)]),
            ("['a\"b']", [key("a\"b")]),
            ("next-page.id_str", [key("next-page"), key("id_str")]),
            ("$.größe.名前", [key("größe"), key("名前")]),
            ("[999999999]", [.index(999_999_999)]),
        ])
    func reads(text: String, steps: [JSONPath.Step]) throws {
        #expect(try JSONPath(text).steps == steps)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", " ", "$.", ".a", "$..a", "a.", "a..b", "$a", "$.*", "$[*]", "$[?(@.a)]", "$[-1]", "$[1:2]", "$[01]",
            "$[0", "$['a'", "$['a", "$[]", "$[a]", "a b", "$.a b", "$ .a", "0", "$.0", "a.-b", "[1e3]", "[0]a",
            "['a']b",
            #"['\n']"#, #"['\u0061']"#, "[9999999999999999999]", "$.a,$.b", "$['a','b']", "@.a", "$.@id",
        ])
    func refuses(text: String) {
        let error = #expect(throws: JSONPathError.self) { try JSONPath(text) }
        #expect(error?.path == text)
        #expect(error?.explanation.isEmpty == false)
    }

    @Test(
        "A path's description reads back as the same path",
        arguments: [
            "$", "$.a.b", "$['a b'][3].c", #"$['it\'s \\ "x"']"#, "$['']", "$['0']", "$['-a']", "$['a\nb']", "$.é",
        ])
    func description(text: String) throws {
        let path = try JSONPath(text)
        #expect(path.description == text)
        #expect(try JSONPath(path.description) == path)
    }

    @Test("Paths compare by their bytes, not by canonical equivalence")
    func byteEquality() throws {
        #expect(try JSONPath("e\u{301}") != JSONPath("\u{E9}"))
    }
}
