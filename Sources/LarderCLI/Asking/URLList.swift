import Foundation
import LarderHTTPCache

/// URLs from the command line and from a file, each once.
struct URLList: Sendable, Hashable {
    private(set) var urls: [String] = []
    private var keys: Set<String> = []

    /// - Throws: ``UsageError``.
    init(_ arguments: [String]) throws(UsageError) {
        for text in arguments { try add(text) }
    }

    /// A URL a line; blanks around it are ignored, as are empty lines and those that begin with `#`.
    ///
    /// - Throws: ``UsageError`` with the line's number.
    mutating func add(lines text: String, of file: String) throws(UsageError) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let url = line.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !url.isEmpty, !url.hasPrefix("#") else { continue }
            do {
                try add(url)
            } catch {
                throw UsageError("line \(index + 1) of \(Printable.line(file)): \(error)")
            }
        }
    }

    private mutating func add(_ text: String) throws(UsageError) {
        let url = try Endpoint(text).url
        guard let key = HTTPRules.key(of: url) else {
            throw UsageError("the URL is not valid; escape blanks and other special characters with %")
        }
        if keys.insert(key).inserted { urls.append(url) }
    }
}
