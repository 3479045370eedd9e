import Foundation
import LarderKit

/// What looking at a cache has shown, for people and for programs. Accounts and keys are named, without their secrets.
struct VerificationOutput: Sendable {
    let folder: URL
    let report: VerificationReport

    static let standardLimit = 20

    /// Why the exit code is not zero.
    var trouble: Trouble? {
        guard !report.isSound else { return nil }
        let option = "--cache \(ShellWord.quoted(folder.path) ?? "DIR")"
        return Trouble(
            "corrupt",
            "the cache \(folder.path) is damaged: \(damage). 'larder repair \(option)' keeps what is whole and removes the rest.",
            exitCode: .damaged)
    }

    /// `1 row, 2 blobs`.
    private var damage: String {
        typealias Kind = VerificationReport.Finding.Kind
        let names: [Kind: (one: String, many: String)] = [
            .header: ("its beginning", "its beginning"),
            .structure: ("fault in its structure", "faults in its structure"),
            .row: ("row", "rows"), .blob: ("blob", "blobs"), .proof: ("proof", "proofs"), .file: ("file", "files"),
        ]
        return Kind.allCases.compactMap { kind in
            guard kind != .note, let count = report.counts[kind], count > 0, let name = names[kind] else { return nil }
            return kind == .header ? name.one : Units.count(count, name.one, name.many)
        }.joined(separator: ", ")
    }

    /// - Parameter limit: How many findings are shown.
    func text(limit: Int, _ terminal: Terminal) -> Data {
        var lines = [summary]
        let findings = report.findings.sorted { $0.isDamage && !$1.isDamage }
        for finding in findings.prefix(limit) {
            let mark =
                finding.isDamage ? terminal.styled("damaged", .red) : terminal.styled("note   ", .dim)
            lines.append("  \(mark)  \(Self.line(finding))")
        }
        let rest = report.counts.values.reduce(0, +) - min(limit, findings.count)
        if rest > 0 {
            lines.append("  and \(Units.count(rest, "more finding")); --limit shows more, --json up to 1000")
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    private var summary: String {
        guard !report.isEmpty else { return "\(folder.path) holds nothing" }
        let counts = [
            (report.rows, "row"), (report.feeds, "list"), (report.blobs, "blob"), (report.files, "file"),
        ].filter { $0.0 > 0 }.map { Units.count($0.0, $0.1) }
        let looked = report.isQuick || counts.isEmpty ? "the structure of its database" : counts.joined(separator: ", ")
        let verdict = report.isSound ? "is sound" : "is damaged"
        return "\(folder.path) \(verdict): \(looked), \(Units.size(report.bytes)) read"
    }

    private static func line(_ finding: VerificationReport.Finding) -> String {
        let account = finding.partition.map { $0.isEmpty ? nil : "account \(Printable.line($0))" } ?? nil
        let place = [
            account, finding.feed.map { "list \(name($0))" }, finding.key.map { name($0) },
        ].compactMap { $0 }
        let table = finding.table.map { " (\($0))" } ?? ""
        let words = Printable.line(finding.explanation)
        return place.isEmpty ? words + table : "\(place.joined(separator: ", ")): \(words)\(table)"
    }

    private static func name(_ key: String) -> String {
        key.isEmpty ? "the empty key" : Printable.line(Endpoint.shown(key))
    }

    var json: JSONText {
        .object([(name: "folder", value: JSONText.string(folder.path))] + members)
    }

    var members: [(name: String, value: JSONText)] {
        let kinds = VerificationReport.Finding.Kind.allCases
        return [
            ("sound", .bool(report.isSound)),
            ("quick", .bool(report.isQuick)),
            ("empty", .bool(report.isEmpty)),
            ("rows", .number(report.rows)),
            ("feeds", .number(report.feeds)),
            ("blobs", .number(report.blobs)),
            ("files", .number(report.files)),
            ("bytes", .number(report.bytes)),
            ("counts", .object(kinds.map { ($0.rawValue, .number(report.counts[$0] ?? 0)) })),
            ("findings", .array(report.findings.map(Self.json))),
        ]
    }

    private static func json(_ finding: VerificationReport.Finding) -> JSONText {
        .object([
            ("kind", .string(finding.kind.rawValue)),
            ("damage", .bool(finding.isDamage)),
            ("table", finding.table.json(JSONText.string)),
            ("partition", finding.partition.json(JSONText.string)),
            ("feed", finding.feed.json { .string(Endpoint.shown($0)) }),
            ("key", finding.key.json { .string(Endpoint.shown($0)) }),
            ("explanation", .string(finding.explanation)),
        ])
    }
}
