import Foundation
import LarderKit

extension FeedCommand {
    func run() async throws -> ExitCode {
        if let remark = options.remark { try StandardStream.error.line("larder feed: note: \(remark)") }
        let larder: Larder
        let kept: FeedOrder?
        do throws(Trouble) {
            larder = try options.open(for: endpoint)
            kept = try keptOrder(in: larder)
        } catch {
            return try show(nil, [], error)
        }
        defer { larder.close() }
        if let remark = remark(keptIn: kept) { try StandardStream.error.line("larder feed: note: \(remark)") }
        let source = FeedSource(
            origin: Origin(endpoint: endpoint, headers: options.headers, timeout: options.timeout),
            parameters: parameters, order: order ?? kept ?? .server, json: json)
        let feed = source.feed(in: options.partition(of: larder), maxAge: options.maxAge, policy: options.policy)
        let page: Reading<FeedPage<Data>>?
        let trouble: Trouble?
        do {
            let reading = try await feed.page(position, limit: limit)
            (page, trouble) = (reading, self.trouble(reading, source))
        } catch {
            let isStored = (try? feed.peek(position, limit: limit)) != nil
            (page, trouble) = (nil, await self.trouble(error, larder, source, isStored: isStored))
        }
        let notes = page.map { self.notes($0, source) } ?? []
        let shown = Result { () throws(StreamFailure) in try show(page, notes, trouble) }
        try await options.settle(larder, after: page?.reason, command: Self.spec.name)
        return try shown.get()
    }

    /// The order that the list is stored in, `nil` when it is not stored.
    private func keptOrder(in larder: Larder) throws(Trouble) -> FeedOrder? {
        do throws(StorageError) {
            return try larder.order(ofFeed: FeedSource.name(of: endpoint, json), in: options.partition)
                .map { FeedOrder($0) }
        } catch {
            throw Trouble(error, folder: options.cache.url)
        }
    }

    /// What another order than the stored one does.
    private func remark(keptIn kept: FeedOrder?) -> String? {
        guard let order, let kept, order != kept else { return nil }
        let state = "the list was kept in order \(kept.rawValue)"
        return options.isOffline
            ? "\(state), and offline it can only be shown in that: leave out --order."
            : "\(state); in order \(order.rawValue) its items stay, and what was known about them is asked for again."
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

    private func trouble(
        _ error: LarderError, _ larder: Larder, _ source: FeedSource, isStored: Bool
    ) async -> Trouble {
        let thing = position == .newest ? "this feed" : "this feed at that place"
        let subject = Subject(
            origin: endpoint.origin, folder: options.cache.url, isOffline: options.isOffline, thing: thing)
        if case .notStored = error, let stored = await summary(larder, source) {
            let message =
                StoredBeyond(position, in: stored)?.sentences
                ?? "nothing is stored of \(thing), though the feed has \(Units.count(stored.items, "item")) in "
                + "\(options.cache.url.path). Ask without --offline, or in the order it is kept in "
                + "(\(FeedOrder(stored.order).rawValue))."
            return Trouble("notStored", message, exitCode: .failure)
        }
        return Trouble(error, subject, isStored: isStored)
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
    ) throws(StreamFailure) -> ExitCode {
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
