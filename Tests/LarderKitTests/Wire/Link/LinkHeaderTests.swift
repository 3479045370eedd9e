import Foundation
import LarderKit
import Testing

@Suite("Link fields")
struct LinkHeaderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var fields: [String]
        var page = "https://api.example.test/x"
        var next: String?
        var testDescription: String { fields.joined(separator: " | ") }
    }

    @Test(
        "The next page is found in what servers send",
        arguments: [
            Case(
                fields: [
                    "<https://api.example.test/x?page=2&filters=a,b,c>; rel=\"next\", <https://api.example.test/x?page=9>; rel=\"last\""
                ], next: "https://api.example.test/x?page=2&filters=a,b,c"),
            Case(
                fields: [
                    "<https://api.example.test/x?page=2>; rel=\"previous\"; title=\"start, index\", <https://api.example.test/x?page=4>; rel=\"next\""
                ], next: "https://api.example.test/x?page=4"),
            Case(fields: ["<https://api.example.test/items>; title=\"page;rel=next\"; rel=\"last\""]),
            Case(
                fields: ["<https://api.example.test/items?c=a=b>; title=\"a=b\"; rel=\"next\""],
                next: "https://api.example.test/items?c=a=b"),
            Case(
                fields: ["<https://api.example.test/x?page=2>; rel=next"], next: "https://api.example.test/x?page=2"),
            Case(
                fields: ["<https://api.example.test/x?page=2>; rel=\"next last\""],
                next: "https://api.example.test/x?page=2"),
            Case(
                fields: [
                    "<https://api.example.test/a>;rel=stylesheet;title, <https://api.example.test/x?page=2>;rel=\"next\""
                ], next: "https://api.example.test/x?page=2"),
            Case(
                fields: ["</x?page=2>; REL=\"Next\""], page: "https://api.example.test/x?page=1",
                next: "https://api.example.test/x?page=2"),
            Case(
                fields: ["<?page=2>; rel=\"next\""], page: "https://api.example.test/x?page=1",
                next: "https://api.example.test/x?page=2"),
            Case(
                fields: [
                    "<https://api.example.test/x?page=1>; rel=\"prev\"",
                    "<https://api.example.test/x?page=3>; rel=\"next\"",
                ], next: "https://api.example.test/x?page=3"),
            Case(fields: ["<https://api.example.test/x?page=2; rel=\"next\""]),
            Case(
                fields: [
                    "<https://api.example.test/x?page=2>; title=\"say \\\"hi\\\", then; rel=next\"; rel=\"next\""
                ], next: "https://api.example.test/x?page=2"),
            // The ways of well-known servers: by number, by id, by keyset with brackets and padding, by an opaque token.
            Case(
                fields: [
                    "<https://api.example.test/repositories/1/issues?per_page=30&page=2>; rel=\"next\", <https://api.example.test/repositories/1/issues?per_page=30&page=50>; rel=\"last\""
                ], next: "https://api.example.test/repositories/1/issues?per_page=30&page=2"),
            Case(
                fields: [
                    "<https://api.example.test/api/v1/timelines/home?max_id=103206185588894565>; rel=\"next\", <https://api.example.test/api/v1/timelines/home?min_id=103206804086086361>; rel=\"prev\""
                ], next: "https://api.example.test/api/v1/timelines/home?max_id=103206185588894565"),
            Case(
                fields: [
                    "<https://api.example.test/api/v4/projects?id_after=42&order_by=id&pagination=keyset&sort=asc>; rel=\"next\""
                ], next: "https://api.example.test/api/v4/projects?id_after=42&order_by=id&pagination=keyset&sort=asc"),
            Case(
                fields: [
                    "<https://api.example.test/api/v1/users?limit=20>; rel=\"self\"",
                    "<https://api.example.test/api/v1/users?after=000ub4hTj%3D%3D&limit=20>; rel=\"next\"",
                ], next: "https://api.example.test/api/v1/users?after=000ub4hTj%3D%3D&limit=20"),
            Case(
                fields: ["</x?page[after]=eyJpZCI6MX0%3D&page[size]=20>; rel=next"],
                next: "https://api.example.test/x?page%5Bafter%5D=eyJpZCI6MX0%3D&page%5Bsize%5D=20"),
        ])
    func next(_ example: Case) throws {
        let headers = HeaderFields(example.fields.map { HeaderFields.Field(name: "link", value: $0) })
        let page = try #require(URL(string: example.page))
        let next = try LinkHeader.target(of: "next", in: headers)
            .map { try ContinuationLink.resolve($0, against: page).absoluteString }
        #expect(next == example.next)
    }

    @Test(
        "What a link is to the page",
        arguments: [
            ("<a>; rel=next", ["next"]), ("<a>;rel=NEXT", ["next"]), ("<a> ; rel = \"next\" ", ["next"]),
            ("<a>;\trel=\"\tnext  last \"", ["next", "last"]), ("<a>; rel=\"ne\\xt\"", ["next"]),
            ("<a>; rel=next last", ["next", "last"]),
            ("<a>; rel=https://Example.test/Rel", ["https://example.test/rel"]),
            ("<a>; type=text/html; rel=next", ["next"]), ("<a>; title*=UTF-8''n%c3%a4chste; rel=next", ["next"]),
            ("<a>;; rel=next;", ["next"]), ("<a>; ; rel=next ; ", ["next"]), ("<a>; crossorigin; rel=next", ["next"]),
            // The first rel counts, even if it says nothing.
            ("<a>; rel=prev; rel=next", ["prev"]), ("<a>; rel; rel=next", []), ("<a>; rel=\"\"; rel=next", []),
            ("<a>; rel=; rel=next", []),
            // Not by a name that only looks like it, not in reverse, not beyond ASCII.
            ("<a>; rev=next", []), ("<a>; xrel=next", []), ("<a>; rel*=next", []), ("<a>", []),
            ("<a>; rel='next'", ["'next'"]),
            ("<a>; rel=\"İNEXT \u{212A}\"", ["İnext", "\u{212A}"]),
        ] as [(String, [String])])
    func relations(value: String, relations: [String]) throws {
        let header = LinkHeader(value)
        #expect(!header.isGarbled)
        try #require(header.links.count == 1)
        #expect(header.links[0].target == "a")
        #expect(header.links[0].relations == relations)
    }

    @Test("Parameters come as they stand, without quotes and escapes, under names in small letters")
    func parameters() {
        let header = LinkHeader("<a>; REL=next; Title=\"a, \\\"b\\\"; c\\\\\"; x; y=; y=\"\"; type=text/plain ;z= 1 2 ")
        let pairs = header.links.flatMap(\.parameters).map { "\($0.name):\($0.value ?? "-")" }
        #expect(
            pairs == ["rel:next", "title:a, \"b\"; c\\", "x:-", "y:", "y:", "type:text/plain", "z:1 2"])
    }

    @Test(
        "Targets come as served, with all that stands between the brackets",
        arguments: [
            ("<a>,<b>", ["a", "b"]), ("<a,b;c>;x,<d>", ["a,b;c", "d"]), ("<>", [""]), ("< a >", [" a "]),
            ("<a?q=\"x,y\">, <b>", ["a?q=\"x,y\"", "b"]), ("<ü>", ["ü"]), (",, <a> ,\t, ,<b>,", ["a", "b"]),
            ("<a\\>; rel=next", ["a\\"]), ("", []), (" \t", []), (",,,", []),
        ] as [(String, [String])])
    func targets(value: String, targets: [String]) {
        #expect(LinkHeader(value).links.map(\.target) == targets)
        #expect(!LinkHeader(value).isGarbled)
    }

    @Test(
        "A garbled member spoils only itself, and is noticed",
        arguments: [
            ("a; rel=next, <b>; rel=next", ["b"]), ("https://api.example.test/x?a=1, <b>", ["b"]),
            ("<a, <b>; rel=next", ["b"]), ("<a; rel=\"next\", <b>; rel=next", ["b"]),
            ("<a?f=x,y; rel=\"prev\", <b>; rel=next", ["b"]), ("<a; title=\"x, <y>\", <b>", ["b"]),
            ("a<b>, <c>", ["c"]), ("<a>>, <b>", ["b"]), ("<a><c>, <b>", ["b"]), ("<<a>, <b>", ["b"]),
            ("<a> rel=next, <b>", ["b"]), ("<a>; rel next, <b>", ["b"]), ("<a>; rel=\"next\"x, <b>", ["b"]),
            ("<a>; =next, <b>", ["b"]), ("<a>; ü=next, <b>", ["b"]), ("<a>; rel=\"next\" \"x, <y>\", <b>", ["b"]),
            ("<a>; rel=ne\"x, <y>; rel=next\"t, <b>", ["b"]), ("<a>: rel=next, <b>", ["b"]),
            ("<a>; rel=next\r\n <b>, <c>", ["c"]), ("<a>; rel=next <b>; rel=last, <c>", ["c"]),
            // An open quote has no end to go on behind.
            ("<a>, <b>; rel=\"next", ["a"]), ("<a>; rel=\"next, <b>; rel=next", []), ("<a>; rel=\"next\\\"", []),
            ("<a>; rel=\"next\\", []), ("\"<a>", []), ("<", []), ("<a", []), (">", []), ("<a>, <", ["a"]),
        ] as [(String, [String])])
    func garbled(value: String, targets: [String]) {
        let header = LinkHeader(value)
        #expect(header.links.map(\.target) == targets)
        #expect(header.isGarbled)
    }

    @Test("Each line stands by itself")
    func lines() {
        let headers = HeaderFields([
            .init(name: "Link", value: "<a>; rel=\"prev"), .init(name: "X-Link", value: "<b>; rel=next"),
            .init(name: "LINK", value: "<c>; rel=next"), .init(name: "Link", value: "<d>; rel=next"),
        ])
        #expect(LinkHeader(headers).links.map(\.target) == ["c", "d"])
        #expect(LinkHeader(headers).isGarbled)
        #expect(LinkHeader.target(of: "next", in: headers) == "c")
        #expect(LinkHeader.target(of: "NEXT", in: headers) == "c")
        #expect(LinkHeader.target(of: "prev", in: headers) == nil)
        #expect(LinkHeader.target(of: "next", in: [:]) == nil)
        #expect(!LinkHeader([:]).isGarbled)
    }

    @Test("A link from another context is not one from the page")
    func anchors() {
        let header = LinkHeader(
            "<a>; rel=next; anchor=\"/other\", <b>; anchor=#part; rel=next, <c>; rel=next; anchor=\"\"")
        #expect(header.links.count == 3)
        #expect(header.target(of: "next") == "c")
        #expect(LinkHeader("<a>; rel=next; Anchor=\"/other\"; anchor=\"\"").target(of: "next") == nil)
        #expect(LinkHeader("<a>; rel=next; anchor").target(of: "next") == "a")
    }

    @Test(
        "A hostile field of a megabyte is read to its end in one go",
        arguments: [
            "<", ",", "\"", "<,", "<\"", "<a>", "<a>;", "\\\"", ";", "=", " ", "<a>;rel=\"", "\",<", ">", "<a,",
            "<a>;a,",
            "\"<a", "<a>\"",
        ])
    func hostile(piece: String) {
        let value = String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        let header = LinkHeader(
            HeaderFields([.init(name: "Link", value: value), .init(name: "Link", value: "<a>;rel=next")]))
        #expect(header.target(of: "next") == "a")
    }
}
