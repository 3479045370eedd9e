import Foundation
import LarderKit
import Testing

@testable import LarderScenarios

struct ScriptValueTests {
    @Test(arguments: ["18446744073709551615", "9007199254740993", "738529527931269425", "0", "-7"])
    func numbersKeepEveryDigit(_ digits: String) throws {
        #expect(try ScriptValue(json: Data(digits.utf8)).id == ItemID(digits))
    }

    @Test func aValueIsWrittenAsItWas() throws {
        let text = #"{"a":[1,"b\n\"",null,true],"c":{}}"#
        #expect(try ScriptValue(json: Data(text.utf8)).description == text)
    }

    @Test func aVariantStandsInEveryText() throws {
        let value = try ScriptValue(json: Data(#"[["<{variant}>"],{"k":"{variant}"},1]"#.utf8))
        #expect(value.replacingVariant(by: .text("v")).description == #"[["<v>"],{"k":"v"},1]"#)
    }

    @Test func aVariantThatIsNoTextStandsForAWholeText() throws {
        let value = try ScriptValue(json: Data(#"["{variant}","<{variant}>"]"#.utf8))
        #expect(value.replacingVariant(by: .number(410)).description == #"[410,"<410>"]"#)
        #expect(value.replacingVariant(by: .list([.text("a")])).description == #"[["a"],"<[\"a\"]>"]"#)
    }

    @Test(arguments: [#"["9","3"]"#, #"[9,3]"#, #"{"above":"9","below":"3"}"#])
    func aGapIsAPairOrNamesItsSides(_ text: String) throws {
        #expect(try ScriptValue(json: Data(text.utf8)).gap == Gap(above: "9", below: "3"))
    }

    @Test(arguments: [#"["9"]"#, #"["9","3","1"]"#, #"{"above":"9"}"#, #"{"above":"9","under":"3"}"#, #""9""#])
    func otherThingsAreNoGap(_ text: String) throws {
        #expect(try ScriptValue(json: Data(text.utf8)).gap == nil)
    }
}
