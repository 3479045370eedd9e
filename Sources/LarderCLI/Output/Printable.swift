/// Text from outside, made fit for a line of a terminal: nothing in it may steer the terminal or break the line.
enum Printable {
    /// One line: white space runs together, and what cannot be seen is left out or shown as �.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        var needsSpace = false
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar.properties.isWhitespace, .spaceSeparator, .lineSeparator, .paragraphSeparator:
                needsSpace = !line.isEmpty
                continue
            case .control, .surrogate:
                if needsSpace { line.append(" ") }
                line.append("\u{FFFD}")
            case .format where scalar.value != 0x200D:
                continue  // Invisible, and some of them turn the reading direction of what follows.
            default:
                if needsSpace { line.append(" ") }
                line.append(scalar)
            }
            needsSpace = false
        }
        return String(line)
    }

    /// The columns that `text` takes, as far as a table of ranges can tell.
    static func columns(of text: String) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// `text`, cut so that it takes at most `width` columns.
    static func cut(_ text: String, to width: Int) -> String {
        guard columns(of: text) > width else { return text }
        var taken = 0
        let kept = text.prefix { character in
            taken += columns(of: character)
            return taken < width
        }
        return kept + "…"
    }

    /// `text` with blanks behind it up to `width` columns.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - columns(of: text)))
    }

    /// `text` with blanks before it up to `width` columns.
    static func aligned(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - columns(of: text))) + text
    }

    /// A character is as wide as its first scalar: wide ones are those of East Asia (UAX #11) and most emoji.
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
