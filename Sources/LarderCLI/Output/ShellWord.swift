/// Text from outside as a word of a command line that may be pasted into a shell.
enum ShellWord {
    /// `text` as a shell reads it back (POSIX.1-2024, Shell Command Language, 2.2.2): plain where every shell takes it
    /// for itself, else in single quotes, within which nothing has a meaning but the quote.
    ///
    /// - Returns: `nil` for what cannot be typed: control characters, and those that are invisible or turn the direction of
    ///   reading, so that what is pasted would not be what is seen.
    static func quoted(_ text: String) -> String? {
        guard text.unicodeScalars.allSatisfy(isTypable) else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(plain.contains) { return text }
        return "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// `older ID` or `newer ID`, ready to be put behind the URL, or `nil` where the id cannot be typed.
    static func position(_ word: String, _ id: String) -> String? {
        quoted(id).map { "\(word) \(id.hasPrefix("-") ? "-- " : "")\($0)" }
    }

    private static func isTypable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: true
        }
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:@+,".utf8)
}
