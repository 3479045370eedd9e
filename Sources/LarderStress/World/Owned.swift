import Foundation

/// A value that says whose it is, and when it was asked for.
struct Owned: Codable, Sendable, Hashable {
    /// When the handle was made that asked: before the flight was, and its request stamped.
    let asked: Int
    /// No other value has the same; of an answer, not before the moment at which its request was stamped.
    let serial: Int
    let owner: Owner
    let key: String
    /// So that bodies are of several lengths.
    let padding: String
}

/// Whose a value is: one sign-in of one account in one larder.
struct Owner: Codable, Sendable, Hashable {
    let larder: Int
    let partition: String
    /// Counts the sign-ins of the account.
    let generation: Int
}

extension Owner: CustomStringConvertible {
    var description: String { "\(larder)|\(partition)|\(generation)" }

    /// An owner as an item's text names it.
    init?(_ text: String) {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count >= 3, let larder = Int(parts[0]), let generation = Int(parts[2]) else { return nil }
        self.init(larder: larder, partition: String(parts[1]), generation: generation)
    }
}

extension Owned {
    /// The same bytes for the same value, beginning with ``mark``.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return try encoder.encode(self)
        }
    }

    /// What the bytes of each value begin with.
    static let mark = Data(#"{"asked":"#.utf8)
}
