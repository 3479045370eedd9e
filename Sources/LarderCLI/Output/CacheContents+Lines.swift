import Foundation
import LarderHTTPCache
import LarderKit

extension CacheContents {
    /// What the cache holds, a heading for each account.
    func lines(terminal: Terminal) -> [String] {
        var lines = ["\(folder.path)  \(Units.size(size))"]
        let (documents, feeds) = (values, contents.feeds)
        if documents.isEmpty, feeds.isEmpty, contents.damaged == 0 { lines.append("Nothing is stored here yet.") }
        let partitions = Set(documents.map(\.key.partition) + feeds.map(\.partition)).sorted()
        for partition in partitions {
            lines.append("")
            if !partition.isEmpty {
                lines.append(terminal.styled("Account \(Printable.line(partition))", .bold))
            }
            lines += documentLines(documents.filter { $0.key.partition == partition }, terminal)
            for feed in feeds where feed.partition == partition { lines += feedLines(feed, terminal) }
        }
        if answers.leftOver.count > 0 {
            let what = Units.count(answers.leftOver.count, "part of a body", "parts of bodies")
            lines += ["", "\(what) that no HTTP answer needs any more, \(Units.size(answers.leftOver.bytes))"]
        }
        return lines
    }

    private func answerLines(_ answer: ListedAnswer, _ terminal: Terminal) -> [String] {
        let facts =
            ["HTTP answer"] + answer.facts + [use(answer.usedAt), answer.isPinned ? "pinned" : nil].compactMap { $0 }
        return [title(answer.found.url, terminal), "  " + facts.joined(separator: ", ")]
    }

    private func documentLines(_ documents: [EntrySummary], _ terminal: Terminal) -> [String] {
        documents.flatMap { document in
            if let answer = answers.answers[document.key] { return answerLines(answer, terminal) }
            let metadata = document.metadata
            let place: String? =
                switch document.place {
                case .blob: "in a blob"
                case .file: "in a file"
                case .database, nil: nil
                }
            let facts = [
                "document, \(Units.size(document.size))", "\(Units.age(age(metadata.storedAt))) old",
                "codec \(metadata.codec)", place, use(document.usedAt), document.isPinned ? "pinned" : nil,
            ]
            return [title(document.key.key, terminal), "  " + facts.compactMap { $0 }.joined(separator: ", ")]
        }
    }

    func feedLines(_ feed: FeedSummary, _ terminal: Terminal) -> [String] {
        let paging = FeedPaging(feed.paging)
        let facts = [
            "feed", Units.count(feed.items, "item"), Units.size(feed.size), "order \(paging.order.rawValue)",
            paging.kind.isByItem ? nil : "paged \(paging.phrase)", use(feed.usedAt), feed.isPinned ? "pinned" : nil,
        ]
        var lines = [
            title(feed.name, terminal),
            "  " + facts.compactMap { $0 }.joined(separator: ", "),
            "  head: " + (feed.headProvenAt.map { "nothing newer existed \(Units.age(age($0))) ago" } ?? "not known"),
        ]
        for (index, run) in feed.runs.enumerated() {
            if index > 0 { lines.append("  " + terminal.styled("gap: what lies between is not known", .yellow)) }
            lines.append("  " + line(run))
        }
        let floor = feed.isFloorProven ? "the list ends here" : "not known, older ones may follow"
        lines.append("  floor: " + floor)
        return lines
    }

    private func use(_ date: Date?) -> String? { date.map { "used \(Units.age(age($0))) ago" } }

    private func title(_ key: String, _ terminal: Terminal) -> String {
        terminal.styled(Printable.line(Endpoint.shown(key)), .cyan)
    }

    private func line(_ run: FeedSummary.Run) -> String {
        let newest = Printable.line(run.newest.rawValue)
        let oldest = Printable.line(run.oldest.rawValue)
        let extent = run.count == 1 ? newest : "\(newest) down to \(oldest)"
        let ages = [Units.age(age(run.newestPart)), Units.age(age(run.oldestPart))]
        let range = ages[0] == ages[1] ? ages[0] : "\(ages[0]) to \(ages[1])"
        return "run: \(Units.count(run.count, "item")), \(extent), \(range) old"
    }
}
