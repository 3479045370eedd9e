import LarderKit
import Testing

@testable import LarderHTTPCache

struct VaryTests {
    @Test(
        arguments: [
            ("", []), ("Vary: Foo", ["foo"]), ("Vary: foo, BAR,foo", ["bar", "foo"]), ("Vary: b\nVary: a", ["a", "b"]),
            ("Vary: ,, a ,", ["a"]), ("Vary: *", nil), ("Vary: , *", nil), ("Vary:\nVary: *", nil),
            ("Vary: foo, *", nil),
            ("Vary: *, *", nil), ("Vary: Origin, foo", ["foo"]),
        ] as [(String, [String]?)])
    func varyNamesAreEachOnceAndSorted(headers: String, names: [String]?) {
        #expect(HTTPRules.varyNames(of: HeaderFields(lines: headers), ignoring: ["ORIGIN"]) == names)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var id: String
        var vary: String
        var first: String
        var second: String
        var fits: Bool
        var testDescription: String { id }
    }

    private static let rows = [
        Row(id: "equal", vary: "Foo", first: "Foo: 1", second: "foo: 1", fits: true),
        Row(id: "other value", vary: "Foo", first: "Foo: 1", second: "Foo: 2", fits: false),
        Row(id: "other case of the value", vary: "Foo", first: "Foo: a", second: "Foo: A", fits: false),
        Row(id: "absent then there", vary: "Foo", first: "", second: "Foo: 1", fits: false),
        Row(id: "there then absent", vary: "Foo", first: "Foo: 1", second: "", fits: false),
        Row(id: "empty is not absent", vary: "Foo", first: "Foo:", second: "", fits: false),
        Row(id: "both absent", vary: "Foo, Bar", first: "Foo: 1", second: "Foo: 1", fits: true),
        Row(id: "fields not named", vary: "Foo", first: "Foo: 1\nX: 1", second: "X: 2\nFoo: 1", fits: true),
        Row(id: "lines joined", vary: "Foo", first: "Foo: 1, 2", second: "Foo: 1\nFoo: 2", fits: true),
        Row(id: "order of lines", vary: "Foo", first: "Foo: 1, 2", second: "Foo: 2\nFoo: 1", fits: false),
        Row(id: "blanks at commas", vary: "Foo", first: "Foo: 1,2", second: "Foo:  1 , 2 ", fits: true),
        Row(id: "blanks in words", vary: "Foo", first: "Foo: a b", second: "Foo: a  b", fits: false),
        Row(id: "commas in quotes", vary: "Foo", first: "Foo: \"a,b\"", second: "Foo: \"a, b\"", fits: false),
        Row(
            id: "order of languages", vary: "Accept-Language", first: "Accept-Language: en, de",
            second: "Accept-Language: de, en", fits: true),
        Row(
            id: "case of languages", vary: "accept-language", first: "Accept-Language: en-GB",
            second: "ACCEPT-LANGUAGE: EN-gb", fits: true),
        Row(
            id: "weights count", vary: "Accept-Language", first: "Accept-Language: en, de;q=0.5",
            second: "Accept-Language: en;q=0.5, de", fits: false),
        Row(
            id: "weights written otherwise", vary: "Accept-Language", first: "Accept-Language: en, de;q=0.5",
            second: "Accept-Language: de; q=0.500,en;q=1.0", fits: true),
        Row(
            id: "a bad weight is as it stands", vary: "Accept-Language", first: "Accept-Language: en;q=2, de",
            second: "Accept-Language: de, en;q=2", fits: false),
        Row(
            id: "order of codings", vary: "Accept-Encoding", first: "Accept-Encoding: gzip, br",
            second: "Accept-Encoding: br,gzip", fits: true),
        Row(id: "cookies as they stand", vary: "Cookie", first: "Cookie: a=1,2", second: "Cookie: a=1, 2", fits: false),
        Row(
            id: "credentials", vary: "Authorization", first: "Authorization: Bearer a",
            second: "Authorization: Bearer b", fits: false),
    ]

    @Test(arguments: rows) func aVariantServesWhatSelectsIt(row: Row) {
        let names = HTTPRules.varyNames(of: ["Vary": row.vary], ignoring: []) ?? []
        var stored = StoredAnswer.noon("Cache-Control: max-age=60\nVary: \(row.vary)")
        stored.variant = HTTPRules.variant(of: HeaderFields(lines: row.first), names: names)
        #expect(HTTPRules.matches(stored, HeaderFields(lines: row.first)))
        #expect(HTTPRules.matches(stored, HeaderFields(lines: row.second)) == row.fits)
        let plan = HTTPRules.plan(.get("http://h.test/r", row.second), [stored], .at(1))
        #expect((plan.served != nil) == row.fits)
        if !row.fits { #expect(plan.asked?.reason == .varyMiss) }
    }

    @Test(arguments: [
        ("fr;q=0.5, de;q=1.0", true), ("de", true), ("DE, fr;q=0.9", true), ("de, en", false), ("fr, de;q=0.9", false),
        ("de;q=0", false), ("", false),
    ])
    func theLanguageThatIsTheFirstChoiceServes(wanted: String, fits: Bool) {
        let stored = StoredAnswer.noon("Content-Language: de", variant: [("accept-language", "en, de;q=0.1")])
        #expect(HTTPRules.matches(stored, ["Accept-Language": wanted]) == fits)
    }

    @Test func withoutALanguageNothingIsTheFirstChoice() {
        let stored = StoredAnswer.noon("", variant: [("accept-language", "en")])
        #expect(!HTTPRules.matches(stored, ["Accept-Language": "de, fr"]))
        #expect(!HTTPRules.matches(stored, [:]))
    }

    @Test(arguments: [
        ("Accept-Encoding: gzip", "Accept-Encoding: gzip, br", true), ("Accept-Encoding: gzip", "", false),
        ("Accept-Encoding: gzip", "Accept-Encoding: br", false),
        ("Accept-Encoding: gzip", "Accept-Encoding: gzip;q=0", false),
        ("", "", true), ("", "Accept-Encoding: GZIP", true),
    ])
    func aCodedBodyIsForWhoKnowsTheCoding(first: String, second: String, fits: Bool) {
        for (lines, isHit) in [("", fits), ("\nVary: Accept-Encoding", fits && first == second)] {
            let stored = HTTPRules.store(
                200, "Cache-Control: max-age=60\nContent-Encoding: gzip" + lines, to: .get("http://h.test/r", first),
                .at(0)
            ).stored
            guard let stored else {
                Issue.record("not stored")
                return
            }
            #expect(HTTPRules.plan(.get("http://h.test/r", first), [stored], .at(1)).served != nil)
            #expect((HTTPRules.plan(.get("http://h.test/r", second), [stored], .at(1)).served != nil) == isHit)
        }
        let odd = HTTPRules.store(200, "Content-Encoding: odd", to: .get("http://h.test/r", first), .at(0)).stored
        #expect(odd?.variant == Variant(), "what nobody asks for selects nothing")
    }

    @Test func theRightOfManyVariantsIsServedAndTheLatestOfEqualOnes() {
        var all: [StoredAnswer] = []
        for number in 0..<50 {
            all.append(.noon("Cache-Control: max-age=60", size: number, variant: [("foo", "\(number)"), ("bar", nil)]))
        }
        for number in 0..<50 {
            let plan = HTTPRules.plan(.get("http://h.test/r", "Foo: \(number)"), all.shuffled(), .at(1))
            #expect(plan.served != nil)
            #expect(HTTPRules.plan(.get("http://h.test/r", "Foo: \(number)"), all, .at(1)).served?.index == number)
        }
        #expect(HTTPRules.plan(.get("http://h.test/r", "Foo: 3\nBar: 1"), all, .at(1)).asked?.reason == .varyMiss)
        var later = StoredAnswer.noon("Cache-Control: max-age=60\nDate: {+1}")
        later.receivedAt = Noon.plus(1)
        #expect(HTTPRules.plan(.get("http://h.test/r", "Foo: 3"), all + [later], .at(2)).served?.index == 50)
        #expect(HTTPRules.plan(.get("http://h.test/r", "Foo: 3"), [later] + all, .at(2)).served?.index == 0)
    }
}
