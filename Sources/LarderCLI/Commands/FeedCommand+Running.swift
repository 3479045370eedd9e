import Foundation
import LarderKit

extension FeedCommand {
    func run() async throws -> ExitCode {
        if let remark = options.remark { try StandardStream.error.line("larder feed: note: \(remark)") }
        let session: FeedSession
        do {
            session = try FeedSession(self)
        } catch let trouble as Trouble {
            return try tell(trouble)
        }
        defer { session.larder.close() }
        if let remark = session.remark { try StandardStream.error.line("larder feed: note: \(remark)") }
        switch operation {
        case .page(let position): return try await showPage(position, session)
        case .refresh, .older, .fill: return try await step(session)
        case .all: return try await Interruption.asking { stop in try await walk(session, stop) }
        case .gaps: return try await listGaps(session)
        case .show: return try await showTimeline(session)
        case .watch: return try await watch(session)
        }
    }

    /// A trouble before anything could be looked at, in the form that the operation has.
    private func tell(_ trouble: Trouble) throws(StreamFailure) -> ExitCode {
        switch operation {
        case .page(let position):
            return try pageReport(nil, [], trouble, position).write()
        case .refresh, .older, .fill, .all:
            return try FeedChangeReport(operation.word, trouble: trouble, isJSON: options.isJSON).write()
        case .gaps:
            return try GapList(gaps: [], trouble: trouble, isJSON: options.isJSON).write()
        case .show:
            return try TimelineReport(report: report(trouble: trouble), isJSON: options.isJSON).write()
        case .watch:
            try WatchReport(isJSON: options.isJSON).write(.failed(trouble), at: Date())
            return trouble.exitCode
        }
    }

    func report(
        _ facts: Report.Facts? = nil, _ notes: [Note] = [], trouble: Trouble?
    ) -> Report {
        Report(command: "feed", origin: endpoint.origin, facts: facts, notes: notes, trouble: trouble)
    }

    func notes(_ warnings: [ReadingWarning]) -> [Note] {
        warnings.map { Note($0, folder: options.cache.url) }
    }
}
