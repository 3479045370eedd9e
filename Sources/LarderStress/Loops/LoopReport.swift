import Foundation

/// What a loop has done, and what was wrong.
struct LoopReport: Sendable, Codable {
    let loop: String
    let seed: UInt64
    /// What was done, counted by name.
    var counts: [String: Int] = [:]
    private(set) var findings = 0
    /// The first of them, in words.
    private(set) var firstFindings: [String] = []

    private static let findingLimit = 40

    init(_ loop: any StressLoop.Type, seed: UInt64) {
        self.loop = loop.name
        self.seed = seed
    }

    var hasPassed: Bool { findings == 0 }

    mutating func count(_ name: String, _ number: Int = 1) { counts[name, default: 0] += number }

    mutating func find(_ text: String) {
        findings += 1
        if firstFindings.count < Self.findingLimit { firstFindings.append(text) }
    }
}

extension LoopReport: CustomStringConvertible {
    var description: String {
        let lines =
            ["\(loop), seed \(seed)"] + counts.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
            + ["findings: \(findings)"] + firstFindings.map { "  \($0)" }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
        }
    }
}
