import Foundation
import LarderKit
import Testing

/// SQLite's JSON functions and Foundation as second opinions.
///
/// Where SQLite 3.40.1 is known to differ, RFC 8259 is on the splitter's side: SQLite takes bytes that are no UTF-8 for
/// characters, ends a text at its first zero byte, and nests to 2000 levels. None of that is put to it below.
@Suite("The splitter agrees with other readers of JSON")
struct JSONAgreementTests {
    @Test(
        "A spoiled text is valid for the splitter exactly when it is for SQLite", arguments: [UInt64(1), 2, 3, 4])
    func agreesWithSQLite(seed: UInt64) throws {
        let isValidForSQLite = try SQLiteOracle("SELECT json_valid(?1)")
        var generator = JSONGenerator(seed: seed)
        var counts = (valid: 0, invalid: 0)
        for round in 0..<4000 {
            let text = generator.space() + generator.value() + generator.space()
            #expect(isValid(Array(text.utf8)), "seed \(seed), round \(round): \(text.debugDescription)")
            let bytes = generator.spoiled(text)
            let isAccepted = isValid(bytes)
            if isAccepted { counts.valid += 1 } else { counts.invalid += 1 }
            let comment: Comment =
                "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self).debugDescription)"
            guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
                #expect(!isAccepted, comment)
                continue
            }
            #expect(try isValidForSQLite(bytes) == (isAccepted ? "1" : "0"), comment)
        }
        // A generator that only ever spoils, or never does, would test nothing.
        #expect(counts.valid > 200 && counts.invalid > 1000)
    }

    @Test("Every item of a random array comes back byte for byte", arguments: [UInt64(11), 12])
    func itemsRoundTrip(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        let id = try JSONPath("id")
        let path = try JSONPath("data.list")
        for round in 0..<1500 {
            var elements: [String] = []
            var ids: [ItemID?] = []
            for index in 0..<generator.number(below: 6) {
                let hasID = generator.number(below: 3) > 0
                let item = #"{"x":\#(generator.value(depth: 2)),"id":"\#(index)","y":\#(generator.value(depth: 2))}"#
                elements.append(hasID ? item : generator.value(depth: 2).replacing("\"id\"", with: "\"ID\""))
                ids.append(hasID ? ItemID(index) : nil)
            }
            var list = ""
            for element in elements {
                list += (list.isEmpty ? "" : ",") + generator.space() + element + generator.space()
            }
            let text = #"{"a":\#(generator.value()),"data":{"list":[\#(list)]},"z":\#(generator.value())}"#
            let bytes = Array(text.utf8)
            let comment: Comment = "seed \(seed), round \(round): \(text.debugDescription)"
            let items = try JSONSplitter.items(in: Data(bytes), at: path, id: id)
            #expect(items.map { String(decoding: bytes[$0.range], as: UTF8.self) } == elements, comment)
            #expect(items.map(\.id) == ids, comment)
        }
    }

    @Test("Every text of up to four characters is valid for the splitter exactly when it is for SQLite")
    func agreesOnAllShortTexts() throws {
        let isValidForSQLite = try SQLiteOracle("SELECT json_valid(?1)")
        let alphabet = Array(#"[]{}",:\01-.e+ a"#.utf8)
        var valid = 0
        for length in 1...4 {
            for number in 0..<(0..<length).reduce(1, { product, _ in product * alphabet.count }) {
                var rest = number
                let bytes = (0..<length).map { _ in
                    defer { rest /= alphabet.count }
                    return alphabet[rest % alphabet.count]
                }
                let isAccepted = isValid(bytes)
                if isAccepted { valid += 1 }
                if try isValidForSQLite(bytes) != (isAccepted ? "1" : "0") {
                    Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription): \(isAccepted)")
                }
            }
        }
        #expect(valid > 100)
    }

    @Test(
        "Bytes that are no UTF-8 are JSON for SQLite, and none for the splitter",
        arguments: [[0xFF], [0xED, 0xA0, 0x80]])
    func differsOverUTF8(bytes: [UInt8]) throws {
        let text = [0x22] + bytes + [0x22]
        #expect(try SQLiteOracle("SELECT json_valid(?1)")(text) == "1")
        #expect(!isValid(text))
    }

    @Test(
        "Of equal names all take the first",
        arguments: [
            #"{"id":"1","id":"2"}"#, #"{"id":"1","x":0,"id":"2"}"#, #"{"x":{"id":"3"},"id":"1","id":"2"}"#,
        ])
    func firstNameCounts(item: String) throws {
        struct Item: Decodable {
            let id: String
        }
        #expect(try JSONDecoder().decode(Item.self, from: Data(item.utf8)).id == "1")
        #expect(try SQLiteOracle("SELECT ?1 -> '$.id'")(Array(item.utf8)) == "\"1\"")
        let items = try JSONSplitter.items(in: Data("[\(item)]".utf8), at: .root, id: JSONPath("id"))
        #expect(items.map(\.id) == ["1"])
    }

    @Test("An id reads as JSONDecoder reads it, escapes and all", arguments: [UInt64(21)])
    func idsAgreeWithFoundation(seed: UInt64) throws {
        var generator = JSONGenerator(seed: seed)
        var counts = (same: 0, none: 0)
        for round in 0..<1000 {
            let string = generator.string()
            let items = try JSONSplitter.items(in: Data("[\(string)]".utf8), at: .root, id: .root)
            // An unpaired surrogate is an error there; an empty text is no id here.
            let decoded = try? JSONDecoder().decode([String].self, from: Data("[\(string)]".utf8))
            let expected = decoded?.first.flatMap { $0.isEmpty ? nil : ItemID($0) }
            #expect(items.map(\.id) == [expected], "seed \(seed), round \(round): \(string)")
            if expected == nil { counts.none += 1 } else { counts.same += 1 }
        }
        #expect(counts.same > 300 && counts.none > 100)
    }

    private func isValid(_ bytes: [UInt8]) -> Bool {
        (try? JSONSplitter.validate(Data(bytes))) != nil
    }
}
