/// Why a case failed, in one line.
struct CaseFailure: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// The same failure with what it happened in before it.
    func within(_ place: String) -> CaseFailure { CaseFailure("\(place): \(description)") }
}
