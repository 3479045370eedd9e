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
        #expect(value.replacingVariant(by: "v").description == #"[["<v>"],{"k":"v"},1]"#)
    }
}
