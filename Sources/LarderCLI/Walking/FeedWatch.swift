import Foundation
import LarderKit

/// Asks for the head of a list again and again, and tells what each answer has changed.
struct FeedWatch: Sendable {
    let feed: Feed<Data>
    /// The size of a page.
    let limit: Int
    let interval: Duration
    /// After how many requests it ends; `nil` for never.
    let refreshes: Int?
    /// What a failure is called.
    let trouble: @Sendable (LarderError) -> Trouble
    let note: @Sendable (ReadingWarning) -> Note
    /// Waits so long; throws when the watch is to end.
    let wait: @Sendable (Duration) async throws -> Void
    let tell: @Sendable (WatchReport.Event) throws -> Void

    /// - Returns: `nil` when the last answer was a good one, else why it was none.
    /// - Throws: When the task is cancelled, or nobody takes the events any more.
    func run() async throws -> Trouble? {
        var count = 0
        var told: [Note] = []
        while true {
            let result = await refresh()
            try Task.checkCancellation()
            var latest: Trouble?
            var pause = interval
            switch result {
            case .success(let change):
                let notes = change.warnings.map(note)
                // What is the same each time is told once.
                for note in notes where !told.contains(note) { try tell(.warning(note)) }
                told = notes
                try tell(change)
            case .failure(let error):
                let failure = trouble(error)
                try tell(.failed(failure))
                guard error.mayPass else { return failure }
                latest = failure
                pause = max(pause, error.retryAfter ?? .zero)
            }
            count += 1
            if count == refreshes { return latest }
            try await wait(pause)
        }
    }

    private func refresh() async -> Result<FeedChange, LarderError> {
        do throws(LarderError) {
            return .success(try await feed.refresh(limit: limit))
        } catch {
            return .failure(error)
        }
    }

    private func tell(_ change: FeedChange) throws {
        let changed = change.inserted + change.updated
        let head = changed.isEmpty ? nil : try? feed.peek(.newest, limit: limit + changed.count)
        let items = Dictionary(head?.value.entries.map { ($0.id, $0.item) } ?? []) { first, _ in first }
        // The newest comes last, as it does in a log.
        for id in change.inserted.reversed() { try tell(.inserted(id, items[id])) }
        for id in change.updated { try tell(.updated(id, items[id])) }
        for id in change.removed { try tell(.removed(id)) }
        if let gap = change.remaining, !change.inserted.isEmpty { try tell(.gap(gap)) }
    }
}

extension LarderError {
    /// Whether the same question may have another answer later, without anybody doing something about it.
    fileprivate var mayPass: Bool {
        guard case .fetch(let failure) = self else { return false }
        return !failure.isAnswer
    }

    fileprivate var retryAfter: Duration? {
        if case .fetch(let failure) = self { failure.retryAfter } else { nil }
    }
}
