import Foundation
import LarderKit

/// What a repair found, kept and gave up, for people and for programs.
struct RepairOutput: Sendable {
    let folder: URL
    let report: RepairReport

    var lines: [String] {
        switch report.outcome {
        case .sound: return ["\(folder.path) is sound: nothing was changed"]
        case .removedRows:
            return ["\(folder.path) is sound again: what was damaged was removed, one by one"] + losses + nextSteps
        case .rebuilt:
            let kept = report.kept.isEmpty ? "nothing could be read" : "kept \(Self.rows(report.kept))"
            return ["\(folder.path) is sound again: its database was built anew", "  \(kept)"] + losses + nextSteps
        }
    }

    private var losses: [String] {
        [
            report.lost.isEmpty ? nil : "lost \(Self.rows(report.lost))",
            report.removedFiles > 0 ? "removed \(Units.count(report.removedFiles, "damaged file"))" : nil,
            report.gaps > 0 ? "left \(Units.count(report.gaps, "gap")) in lists, to be asked for again" : nil,
            report.feedsWithoutProof > 0
                ? "of \(Units.count(report.feedsWithoutProof, "list")) nothing is known to be complete any more" : nil,
            report.endedAllSessions
                ? "it could not be read who has signed out: programs take up their accounts anew" : nil,
            report.outdatedAllAnswers ? "answers that are on their way are not stored" : nil,
            report.droppedTables > 0
                ? "\(Units.count(report.droppedTables, "table")) of the app's own in this file went" : nil,
        ].compactMap { $0 }.map { "  " + $0 }
    }

    private var nextSteps: [String] {
        guard let place = report.setAside else { return [] }
        let word = ShellWord.quoted(place.path) ?? place.path
        return ["  the damaged file lies in \(place.path); when nobody wants to look at it any more: rm -r \(word)"]
    }

    /// `12 items, 3 values`, the most first.
    private static func rows(_ counts: [String: Int]) -> String {
        let names = [
            "larder_entry": "value", "larder_feed_item": "item", "larder_feed": "list", "larder_segment": "proof",
            "larder_edge": "edge", "larder_envelope": "envelope",
        ]
        return counts.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { table, count in
                names[table].map { Units.count(count, $0) } ?? "\(Units.count(count, "row")) of \(table)"
            }.joined(separator: ", ")
    }

    var json: JSONText {
        .object([
            ("folder", .string(folder.path)),
            ("outcome", .string(report.outcome.rawValue)),
            ("kept", Self.json(report.kept)),
            ("lost", Self.json(report.lost)),
            ("removedFiles", .number(report.removedFiles)),
            ("gaps", .number(report.gaps)),
            ("feedsWithoutProof", .number(report.feedsWithoutProof)),
            ("setAside", report.setAside.json { .string($0.path) }),
            ("endedAllSessions", .bool(report.endedAllSessions)),
            ("outdatedAllAnswers", .bool(report.outdatedAllAnswers)),
            ("droppedTables", .number(report.droppedTables)),
            ("found", .object(VerificationOutput(folder: folder, report: report.found).members)),
        ])
    }

    private static func json(_ counts: [String: Int]) -> JSONText {
        .object(counts.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) })
    }
}
