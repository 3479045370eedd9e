import Foundation
import LarderKit

/// Showing a page, as the policy has it.
extension FeedCommand {
    func showPage(_ position: FeedPosition, _ session: FeedSession) async throws -> ExitCode {
        let explanation = try options.explanation(command: Self.spec.name) { [limit] () throws(LarderError) in
            try session.feed.explain(position, limit: limit)
        }
        let page: Reading<FeedPage<Data>>?
        let trouble: Trouble?
        do {
            let reading = try await session.feed.page(position, limit: limit)
            (page, trouble) = (reading, self.trouble(reading, session.source))
        } catch {
            let isStored = (try? session.feed.peek(position, limit: limit)) != nil
            (page, trouble) = (nil, await self.trouble(error, position, session, isStored: isStored))
        }
        let notes = page.map { self.notes($0, session.source) } ?? []
        let shown = Result { () throws(StreamFailure) in
            try pageReport(page, notes, trouble, position, explanation).write()
        }
        try await options.settle(session.larder, after: page?.reason, command: Self.spec.name)
        return try shown.get()
    }

    func pageReport(
        _ reading: Reading<FeedPage<Data>>?, _ notes: [Note], _ trouble: Trouble?, _ position: FeedPosition,
        _ explanation: Explanation? = nil
    ) -> FeedReport {
        let facts = reading.map { Report.Facts($0, isComplete: $0.value.isComplete) }
        return FeedReport(
            page: reading?.value, report: report(facts, notes, trouble: trouble), position: position,
            isJSON: options.isJSON, showsEnvelopes: paging.json.keepsEnvelope, extra: options.members(of: explanation))
    }

    private func trouble(_ reading: Reading<FeedPage<Data>>, _ source: FeedSource) -> Trouble? {
        if let trouble = reading.warnings.trouble(folder: options.cache.url) { return trouble }
        guard reading.source == .network, !paging.parameters.limit.isEmpty, let size = source.pageSize,
            let limit = size.limit, size.count > limit
        else { return nil }
        return Trouble(
            "moreThanAsked",
            "the server gave \(size.count) items where \(limit) were asked for; all are kept. "
                + "Say with --limit-param what it calls the size of a page, or --limit-param= if it knows none.",
            exitCode: .dataError)
    }

    private func trouble(
        _ error: LarderError, _ position: FeedPosition, _ session: FeedSession, isStored: Bool
    ) async -> Trouble {
        let thing = position == .newest ? "this feed" : "this feed at that place"
        if case .notStored = error, let stored = await session.summary(), stored.items > 0 {
            let message =
                StoredBeyond(position, in: stored)?.sentences
                ?? "nothing is stored of \(thing), though the feed has \(Units.count(stored.items, "item")) in "
                + "\(options.cache.url.path). Ask without --offline, or in the order it is kept in "
                + "(\(FeedOrder(stored.order).rawValue))."
            return Trouble("notStored", message, exitCode: .failure)
        }
        return Trouble(error, subject(thing), isStored: isStored)
    }

    private func notes(_ reading: Reading<FeedPage<Data>>, _ source: FeedSource) -> [Note] {
        var notes = notes(reading.warnings)
        if reading.source == .network, reading.value.entries.isEmpty, let count = source.pageSize?.count, count > 0 {
            notes.append(
                Note(
                    "notAdjoining",
                    "the server gave \(Units.count(count, "item")), and none is known to stand next to that place; they "
                        + "are kept, and 'newest' shows them."))
        }
        return notes + (source.unfollowed.map { [Note(unfollowed: $0)] } ?? [])
    }
}
