import Foundation
import LarderKit

extension FeedCommand {
    func run() async throws -> ExitCode {
        if let remark = options.remark { try StandardStream.error.line("larder feed: note: \(remark)") }
        let larder: Larder
        do {
            larder = try options.open(for: endpoint)
        } catch {
            return try show(nil, [], error)
        }
        defer { larder.close() }
        let source = FeedSource(
            origin: Origin(endpoint: endpoint, headers: options.headers, timeout: options.timeout),
            parameters: parameters, order: order, json: json)
        let feed = source.feed(in: options.partition(of: larder), maxAge: options.maxAge, policy: options.policy)
        let page: Reading<FeedPage<Data>>?
        let trouble: Trouble?
        do {
            let reading = try await feed.page(position, limit: limit)
            (page, trouble) = (reading, self.trouble(reading, source))
        } catch {
            (page, trouble) = (nil, await self.trouble(error, larder, source))
        }
        let notes = page.map { self.notes($0, source) } ?? []
        let code = try show(page, notes, trouble)
        try await options.settle(larder, after: page?.reason, command: Self.spec.name)
        return code
    }

    private func trouble(_ reading: Reading<FeedPage<Data>>, _ source: FeedSource) -> Trouble? {
        if let trouble = reading.warnings.trouble(folder: options.cache.url) { return trouble }
        guard reading.source == .network, !parameters.limit.isEmpty, let size = source.pageSize, size.count > size.limit
        else { return nil }
        return Trouble(
            "moreThanAsked",
            "the server gave \(size.count) items where \(size.limit) were asked for; all are kept. "
                + "Say with --limit-param what it calls the size of a page, or --limit-param= if it knows none.",
            exitCode: .dataError)
    }

    private func trouble(_ error: LarderError, _ larder: Larder, _ source: FeedSource) async -> Trouble {
        let thing = position == .newest ? "this feed" : "this feed at that place"
        let subject = Subject(
            origin: endpoint.origin, folder: options.cache.url, isOffline: options.isOffline, thing: thing)
        if case .notStored = error, let stored = await summary(larder, source) {
            return Trouble(
                "notStored",
                "nothing is stored of \(thing), though the feed has \(Units.count(stored.items, "item")) in "
                    + "\(options.cache.url.path). Ask without --offline, or with the paging options (--order, "
                    + "--since-param, --min-param, --max-param) it was filled with.",
                exitCode: .failure)
        }
        return Trouble(error, subject)
    }

    private func summary(_ larder: Larder, _ source: FeedSource) async -> FeedSummary? {
        let feeds = (try? await larder.feeds()) ?? []
        return feeds.first { $0.name == source.name && $0.partition == options.partition && $0.items > 0 }
    }

    private func notes(_ reading: Reading<FeedPage<Data>>, _ source: FeedSource) -> [Note] {
        var notes = reading.warnings.map { Note($0, folder: options.cache.url) }
        if reading.source == .network, reading.value.entries.isEmpty, let count = source.pageSize?.count, count > 0 {
            notes.append(
                Note(
                    "notAdjoining",
                    "the server gave \(Units.count(count, "item")), and none is known to stand next to that place; they "
                        + "are kept, and 'newest' shows them."))
        }
        return notes
    }

    private func show(
        _ reading: Reading<FeedPage<Data>>?, _ notes: [Note], _ trouble: Trouble?
    ) throws(StreamClosed) -> ExitCode {
        try FeedReport(
            page: reading?.value,
            report: Report(
                command: "feed", origin: endpoint.origin,
                facts: reading.map { Report.Facts($0, isComplete: $0.value.isComplete) },
                notes: notes, trouble: trouble),
            position: position, isJSON: options.isJSON
        ).write()
    }
}
