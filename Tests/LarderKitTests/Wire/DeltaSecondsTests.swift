import LarderKit
import Testing

@Suite("Age")
struct DeltaSecondsTests {
    @Test(
        "The first member of the field, if it is a number of seconds",
        arguments: [
            ("0", 0), ("7200", 7200), (" 60\t", 60), ("007", 7), ("7200, 0", 7200), ("0,7200", 0), ("0 , x", 0),
            ("2147483648", 2_147_483_648), ("99999999999999999999", 2_147_483_648),
            ("", nil), (" ", nil), ("abc", nil), ("-7200", nil), ("+1", nil), ("7200.0", nil), ("1 2", nil),
            (",1", nil),
            ("x, 1", nil), ("\"60\"", nil), ("６０", nil), ("60;a", nil),
        ] as [(String, Int?)])
    func age(value: String, seconds: Int?) {
        #expect(Age.parse(value) == seconds)
    }
}
