import Testing

@testable import LarderKit

@Suite struct HeaderFieldsTests {
    @Test func `names compare without regard to case, and nothing else is changed`() {
        let headers: HeaderFields = ["X-One": " a ", "x-two": "B"]
        for name in ["X-One", "x-one", "X-ONE"] { #expect(headers[name] == " a ") }
        #expect(headers["X-Two"] == "B")
        #expect(headers["X-Three"] == nil)
        #expect(headers["X-On"] == nil)
        #expect(headers.fields.map(\.name) == ["X-One", "x-two"])
    }

    @Test func `case is that of ASCII alone`() {
        let headers: HeaderFields = ["K": "kelvin", "İ": "dotted", "@`": "signs"]
        #expect(headers["\u{212A}"] == nil)
        #expect(headers["i"] == nil)
        #expect(headers["`@"] == nil)
    }

    @Test func `repeats stay apart in order, and read as one list`() {
        var headers: HeaderFields = ["Link": "<1>", "Other": "x", "link": "<2>"]
        headers.append(name: "LINK", value: "")
        #expect(headers.values(of: "Link") == ["<1>", "<2>", ""])
        #expect(headers["Link"] == "<1>, <2>, ")
        #expect(headers.values(of: "Nothing") == [])
    }

    @Test func `an empty value is a value`() {
        #expect((["A": ""] as HeaderFields)["a"] == "")
    }
}
