/// Makes JSON texts at random, and spoils them, from a seed that tells a failing case.
struct JSONGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below bound: Int) -> Int {
        Int(next() >> 33) % bound
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(below: elements.count)]
    }

    // MARK: Texts

    mutating func space() -> String {
        number(below: 3) > 0 ? "" : pick([" ", "\n", "\t", "\r", "  ", "\r\n "])
    }

    mutating func value(depth: Int = 4) -> String {
        switch number(below: depth > 0 ? 8 : 5) {
        case 0: return pick(["true", "false", "null"])
        case 1, 2: return numeral()
        case 3, 4: return string()
        case 5, 6:
            let count = number(below: 4)
            var members: [String] = []
            for _ in 0..<count {
                members.append(space() + string() + space() + ":" + space() + value(depth: depth - 1) + space())
            }
            return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
        default:
            let count = number(below: 4)
            var elements: [String] = []
            for _ in 0..<count {
                elements.append(space() + value(depth: depth - 1) + space())
            }
            return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
        }
    }

    mutating func numeral() -> String {
        let whole = pick(["0", "7", "42", "18446744073709551615", "900719925474099312345678901234567890"])
        return pick(["", "", "-"]) + whole + pick(["", "", ".0", ".125"]) + pick(["", "", "e1", "E-2", "e+400"])
    }

    mutating func string() -> String {
        var text = ""
        for _ in 0..<number(below: 6) {
            text += pick([
                "id", "a", "some plain text", "é", "漢字", "😀", "\u{10FFFF}", "\u{7F}", "{", "]", ",", ":", "//",
                #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#, #"\u0000"#, #"\u00e9"#,
                #"\uD83D\uDE00"#,
                #"\ud83d"#, #"\uDE00"#,
            ])
        }
        return "\"\(text)\""
    }

    // MARK: Spoiling

    private static let suspects: [UInt8] =
        Array(#"{}[]",:\0123456789+-.eEtfnulu/*#'$ "#.utf8) + [
            0x00, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1F, 0x7F, 0x80, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0,
            0xF4,
            0xFF,
        ]

    /// A few bytes changed, put in, left out, moved or said twice.
    mutating func spoiled(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0...number(below: 3) where !bytes.isEmpty {
            let at = number(below: bytes.count)
            switch number(below: 7) {
            case 0: bytes[at] = pick(Self.suspects)
            case 1: bytes.insert(pick(Self.suspects), at: at)
            case 2: bytes.remove(at: at)
            case 3: bytes.swapAt(at, number(below: bytes.count))
            case 4: bytes.insert(contentsOf: bytes[at..<min(at + 4, bytes.count)], at: number(below: bytes.count))
            case 5: bytes.removeSubrange(at..<min(at + 1 + number(below: 4), bytes.count))
            default: bytes[at] = bytes[at] &+ UInt8(truncatingIfNeeded: number(below: 3)) &- 1
            }
        }
        return bytes
    }
}
