/// A few words of a case that say how something works. Words that are not in the vocabulary are a failure, since what
/// they mean is not known.
struct Wording {
    private let text: String
    private let words: Set<String>

    init(_ text: String, vocabulary: Set<String>, at place: String) throws(CaseFailure) {
        self.text = text
        words = Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
        let unknown = words.subtracting(vocabulary).sorted()
        guard unknown.isEmpty, !words.isEmpty else {
            throw CaseFailure("unknown wording \(JSONString.quoting(text)) in \(place)")
        }
    }

    func says(_ any: String...) -> Bool { any.contains { words.contains($0) } }

    /// Which of two things the wording says, or `nil` for neither.
    func choice(_ first: Set<String>, or second: Set<String>, at place: String) throws(CaseFailure) -> Bool? {
        switch (!words.isDisjoint(with: first), !words.isDisjoint(with: second)) {
        case (true, false): return true
        case (false, true): return false
        case (false, false): return nil
        case (true, true): throw CaseFailure("contradictory wording \(JSONString.quoting(text)) in \(place)")
        }
    }

    /// A name with its spaces, hyphens and case left out, so that `page number` and `page-number` are one.
    static func folded(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
