import Foundation
import LarderKit

/// A list that a command works on: its cache, open, and where its pages come from.
struct FeedSession: Sendable {
    let larder: Larder
    let source: FeedSource
    let feed: Feed<Data>
    let partition: String
    /// What is to be told about how the list was kept before, if anything is.
    let remark: String?

    /// - Throws: ``Trouble`` with the cache, and ``CommandFailure`` where the command line does not say enough.
    init(_ command: FeedCommand) throws {
        let (options, paging) = (command.options, command.paging)
        let asks = command.operation.asks ?? !options.isOffline
        larder =
            try asks
            ? options.open(for: command.endpoint)
            : options.cache.openExisting(
                exitCode: .failure, for: command.endpoint, options: options.cache.options)
        partition = options.partition
        let kept: FeedPaging?
        do {
            let name = FeedSource.name(of: command.endpoint, paging.json)
            kept = try larder.paging(ofFeed: name, in: partition).map { FeedPaging($0) }
        } catch {
            larder.close()
            throw Trouble(error, folder: options.cache.url)
        }
        let declared = paging.paging(keptAs: kept)
        remark = Self.remark(kept, declared, asks: asks)
        if declared.kind == .cursor, paging.json.next == nil, asks {
            larder.close()
            throw CommandFailure(FeedCommand.cursorUnknown, exitCode: .usage)
        }
        source = FeedSource(
            origin: Origin(
                endpoint: command.endpoint, headers: options.headers, timeout: options.timeout, retry: options.retry),
            parameters: paging.parameters, paging: declared, json: paging.json)
        feed = source.feed(in: options.partition(of: larder), maxAge: options.maxAge, policy: options.policy)
    }

    /// What another declaration than the stored one does.
    private static func remark(_ kept: FeedPaging?, _ declared: FeedPaging, asks: Bool) -> String? {
        guard let kept else { return nil }
        if kept.phrase != declared.phrase {
            let state = "the list was kept paged \(kept.phrase)"
            return asks
                ? "\(state); paged \(declared.phrase) its items stay, and what was known about them is asked for again."
                : "\(state), and offline it can only be shown so: leave out --paging, and what goes with it."
        }
        guard kept.order != declared.order else { return nil }
        let state = "the list was kept in order \(kept.order.rawValue)"
        return asks
            ? "\(state); in order \(declared.order.rawValue) its items stay, and what was known about them is asked for again."
            : "\(state), and offline it can only be shown in that: leave out --order."
    }

    /// What is stored of the list, `nil` when nothing is, or when it cannot be looked at.
    func summary() async -> FeedSummary? {
        let feeds = (try? await larder.feeds()) ?? []
        return feeds.first { $0.name == source.name && $0.partition == partition }
    }

    /// Whether other lists of the same URL are stored, by other paths of items or ids.
    func hasListsOfOtherPaths() async -> Bool {
        let url = source.origin.endpoint.url
        return ((try? await larder.feeds()) ?? []).contains { feed in
            feed.partition == partition && feed.name != source.name
                && (feed.name == url || feed.name.hasPrefix("\(url) "))
        }
    }
}

extension FeedCommand {
    func subject(_ thing: String = "this feed") -> Subject {
        Subject(origin: endpoint.origin, folder: options.cache.url, isOffline: options.isOffline, thing: thing)
    }

    /// Why a list cannot be gone on with.
    func trouble(_ error: LarderError) -> Trouble { Trouble(error, subject()) }
}
