import Foundation
import LarderKit

/// What putting a cache in order has done, or would, for people and for programs.
struct CollectionOutput: Sendable {
    let folder: URL
    let budget: Int?
    let before: StorageUsage
    /// What trimming would take away, where it is only asked.
    var foreseen: TrimmedAmount?
    var report: TidyReport?

    var lines: [String] {
        guard let report else {
            let amount = foreseen ?? TrimmedAmount()
            let size = "\(folder.path)  \(Units.size(before.total))"
            return [size, amount.isEmpty ? "  nothing would be forgotten" : "  would forget \(Self.phrase(amount))"]
        }
        let after = report.usage
        let swept = report.orphanedFiles + report.unfinishedFiles
        let facts = [
            report.trimmed.isEmpty ? nil : "forgot \(Self.phrase(report.trimmed))",
            swept > 0
                ? "swept \(Units.count(swept, "file")) that nothing had, \(Units.size(report.orphanedBytes))" : nil,
            report.staleRecords > 0
                ? "removed \(Units.count(report.staleRecords, "record")) that meant nothing any more" : nil,
            report.bytesGivenBack > 0 ? "gave \(Units.size(report.bytesGivenBack)) back to the file system" : nil,
            budget.flatMap {
                after.total > $0
                    ? "\(Units.size(after.total - $0)) over the budget, \(Units.size(after.pinned)) of it all pinned"
                    : nil
            },
        ].compactMap { $0 }
        return ["\(folder.path)  \(Units.size(Self.onDisk(before))) before, \(Units.size(Self.onDisk(after))) now"]
            + (facts.isEmpty ? ["  nothing was left over"] : facts.map { "  " + $0 })
    }

    /// Without SQLite's log, which comes and goes with whoever has the cache open.
    private static func onDisk(_ usage: StorageUsage) -> Int { usage.total + usage.free }

    private static func phrase(_ amount: TrimmedAmount) -> String {
        let parts = [
            amount.values > 0 ? Units.count(amount.values, "document") : nil,
            amount.items > 0 ? Units.count(amount.items, "item") + " of lists" : nil,
        ].compactMap { $0 }
        return "\(parts.joined(separator: " and ")), \(Units.size(amount.bytes))"
    }

    var json: JSONText {
        .object([
            ("folder", .string(folder.path)),
            ("budget", budget.json(JSONText.number)),
            ("dryRun", .bool(report == nil)),
            ("trimmed", Self.json(report?.trimmed ?? foreseen ?? TrimmedAmount())),
            ("orphanedFiles", .number(report?.orphanedFiles ?? 0)),
            ("orphanedBytes", .number(report?.orphanedBytes ?? 0)),
            ("unfinishedFiles", .number(report?.unfinishedFiles ?? 0)),
            ("staleRecords", .number(report?.staleRecords ?? 0)),
            ("bytesGivenBack", .number(report?.bytesGivenBack ?? 0)),
            ("before", before.json),
            ("after", (report?.usage).json { $0.json }),
        ])
    }

    private static func json(_ amount: TrimmedAmount) -> JSONText {
        .object([
            ("values", .number(amount.values)), ("items", .number(amount.items)), ("bytes", .number(amount.bytes)),
        ])
    }
}

extension StorageUsage {
    var json: JSONText {
        .object([
            ("total", .number(total)),
            ("database", .number(database)),
            ("free", .number(free)),
            ("log", .number(log)),
            ("blobs", .number(blobs)),
            ("files", .number(files)),
            ("pinned", .number(pinned)),
        ])
    }
}
