import Foundation
import LarderKit

extension CacheStatistics {
    func lines(terminal: Terminal) -> [String] {
        let sizes = sizes
        let files = [
            "database \(Units.size(sizes.database))", "its log \(Units.size(sizes.log))",
            "files \(Units.size(sizes.files))",
        ]
        return ["\(folder.path)  \(Units.size(sizes.all)) (\(files.joined(separator: ", ")))", ""]
            + [terminal.styled("Readings", .bold)] + table(readings)
            + [terminal.styled("Requests", .bold)] + table(requests)
            + [terminal.styled("Held now", .bold)] + held + ["  " + counted]
    }

    private typealias Row = (label: String, figure: String, meaning: String)

    private var readings: [Row] {
        [
            ("hits", "\(totals.hits)", "fresh, and no request"),
            ("stale hits", "\(totals.staleHits)", "stale, or in place of an answer that did not come"),
            ("unchanged", "\(totals.revalidated)", "from the cache, after the server said that nothing has changed"),
            ("fetched", "\(totals.fetched)", "from the network"),
            ("hit rate", Self.percent(hitRate), "hits and stale hits among all of these"),
        ]
    }

    private var requests: [Row] {
        let failed = totals.failures.values.reduce(0, +)
        let kinds = totals.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(Printable.line($0.key)) \($0.value)" }
        let shared = totals.sharedFlights + totals.sharedAcrossProcesses
        let rows: [Row?] = [
            ("sent", "\(totals.requests)", totals.retries > 0 ? "\(totals.retries) of them again after a failure" : ""),
            ("failed", "\(failed)", kinds.joined(separator: ", ")),
            shared > 0 ? ("shared", "\(shared)", "readings that joined a request under way") : nil,
            totals.heldBack > 0
                ? ("held back", "\(totals.heldBack)", "not sent, since the server was left alone") : nil,
            totals.late > 0 ? ("late", "\(totals.late)", "answers that came after something else was shown") : nil,
            totals.gaps > 0
                ? ("gaps left", "\(totals.gaps)", "in lists, by answers that did not reach what was stored") : nil,
            totals.notKept > 0 ? ("not kept", "\(totals.notKept)", "values that came and could not be stored") : nil,
            ("received", Units.size(totals.bytesReceived), ""),
            (
                "saved", Units.size(totals.bytesSaved),
                savedRate == nil ? "" : "\(Self.percent(savedRate)) of all bytes shown"
            ),
        ]
        return rows.compactMap { $0 }
    }

    /// What counts against a budget, which is the app's to say.
    private var counted: String {
        let parts = [
            "database \(Units.size(usage.database))", "blobs \(Units.size(usage.blobs))",
            "files \(Units.size(usage.files))",
        ]
        let pinned = usage.pinned > 0 ? ", \(Units.size(usage.pinned)) of it pinned" : ""
        let free = usage.free > 0 ? "; \(Units.size(usage.free)) of the file is free" : ""
        return "counts against a budget: \(Units.size(usage.total)) (\(parts.joined(separator: ", ")))\(pinned)\(free)"
    }

    private var held: [String] {
        let lines = accounts.map { account in
            let facts = [
                Units.count(account.documents, "document"), Units.count(account.feeds, "list"),
                Units.count(account.items, "item"), Units.count(account.gaps, "gap"), Units.size(account.size),
            ]
            let name = account.partition.isEmpty ? "" : "account \(Printable.line(account.partition)): "
            return "  " + name + facts.joined(separator: ", ")
        }
        let ended = signOuts.isEmpty ? [] : ["  signed out of \(Units.count(signOuts.count, "account"))"]
        return (lines.isEmpty ? ["  nothing"] : lines) + ended
    }

    /// Three columns, the second to the right.
    private func table(_ rows: [Row]) -> [String] {
        let label = rows.map { Printable.columns(of: $0.label) }.max() ?? 0
        let figure = rows.map { Printable.columns(of: $0.figure) }.max() ?? 0
        return rows.map { row in
            let gap = String(repeating: " ", count: figure - Printable.columns(of: row.figure))
            let line = "  \(Printable.padded(row.label, to: label))  \(gap)\(row.figure)"
            return row.meaning.isEmpty ? line : "\(line)  \(row.meaning)"
        } + [""]
    }

    private static func percent(_ rate: Double?) -> String { rate.map { "\(Int(($0 * 100).rounded(.down))) %" } ?? "-" }
}
