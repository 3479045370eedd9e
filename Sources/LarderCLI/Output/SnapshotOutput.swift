import Foundation
import LarderKit

/// What an export has written or an import has stored, for people and for programs.
struct SnapshotOutput: Sendable {
    let file: SnapshotPath
    let report: SnapshotReport
    let isExport: Bool

    /// What could not be taken since the file is damaged.
    var trouble: Trouble? {
        guard !isExport, let count = report.leftOut[.damaged], count > 0 else { return nil }
        return Trouble(
            "damagedSnapshot",
            "\(Units.count(count, "thing")) in \(file.url.path) are damaged and were left out: export it again if you can.",
            exitCode: .damaged)
    }

    var lines: [String] {
        let parts = [
            Units.count(report.values, "document"),
            "\(Units.count(report.feeds, "list")) of \(Units.count(report.items, "item"))", Units.size(report.bytes),
        ].joined(separator: ", ")
        let head = isExport ? "\(file.url.path) holds \(parts)" : "took in \(parts)"
        return [head]
            + report.leftOut.filter { $0.value > 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "  left out \($0.value): \(Self.reason($0.key))" }
    }

    private static func reason(_ omission: SnapshotOmission) -> String {
        switch omission {
        case .damaged: "damaged"
        case .holdsCredentials: "stored under a URL with a name, a password or a token in it"
        case .tooLarge: "larger than a snapshot can hold"
        case .isNewerHere: "what the cache has is later, or was said to have changed or gone"
        case .isThereAlready: "stored already"
        case .signedOut: "the account was signed out of meanwhile"
        }
    }

    var json: JSONText {
        .object([
            ("file", .string(file.url.path)),
            ("resources", .number(report.values)),
            ("feeds", .number(report.feeds)),
            ("items", .number(report.items)),
            ("bytes", .number(report.bytes)),
            ("leftOut", .object(SnapshotOmission.allCases.map { ($0.rawValue, .number(report.leftOut[$0] ?? 0)) })),
        ])
    }
}
