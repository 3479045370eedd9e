import Foundation

/// What a run has done, and what was wrong.
struct StressReport: Sendable, Codable {
    let seed: UInt64
    let readers: Int
    let keys: Int
    let partitions: Int
    let reads: Int
    let requests: Int
    let joined: Int
    let signOuts: Int
    let cancellations: Int
    let valuesChecked: Int
    /// The most requests of one host that were under way at a time.
    let mostOfOneHost: Int
    /// What came of reads and other calls, by name.
    let outcomes: [String: Int]
    let violations: Int
    let firstViolations: [String]

    var hasPassed: Bool { violations == 0 }

    init(size: StressSize, ledger: Ledger, world: StressWorld) {
        // What was counted on the side has a name of its own in the report.
        ledger.check(
            ledger.requestCount <= ledger.announcedCount, "more requests were made than the library has told of")
        let tally = ledger.tally
        (seed, readers, keys, partitions) = (size.seed, size.readers, size.keys, size.partitions)
        reads = ledger.readCount
        requests = ledger.requestCount
        joined = ledger.joinedCount
        signOuts = tally["sign-outs"]
        cancellations = tally["cancelled"]
        valuesChecked = tally["values checked"]
        mostOfOneHost = world.shops.flatMap(\.hosts.values).map(\.most).max() ?? 0
        outcomes = tally.counts.filter { !["sign-outs", "cancelled", "values checked"].contains($0.key) }
        (violations, firstViolations) = ledger.violations
    }
}

extension StressReport: CustomStringConvertible {
    var description: String {
        let figures = [
            ("seed", "\(seed)"), ("readers", "\(readers)"), ("keys", "\(keys)"), ("partitions", "\(partitions)"),
            ("reads", "\(reads)"), ("requests", "\(requests)"), ("joined", "\(joined)"), ("sign-outs", "\(signOuts)"),
            ("cancellations", "\(cancellations)"), ("values checked", "\(valuesChecked)"),
            ("most requests of one host at a time", "\(mostOfOneHost)"),
        ]
        let lines =
            figures.map { "\($0): \($1)" } + outcomes.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
            + ["violations: \(violations)"] + firstViolations.map { "  \($0)" }
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
