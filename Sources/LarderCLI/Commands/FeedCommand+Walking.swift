import Foundation
import LarderKit

/// Bringing a list in: by one step, or by as many as it takes.
extension FeedCommand {
    /// `refresh`, `older` and `fill`.
    func step(_ session: FeedSession) async throws -> ExitCode {
        let limit = limit
        switch operation {
        case .fill(let number):
            return try await fill(number, session)
        case .older:
            let lowest = await session.summary()?.runs.last?.oldest
            return try await once(session, shownAt: [lowest.map { .older(than: $0) } ?? .newest]) {
                feed throws(LarderError) in try await feed.loadOlder(limit: limit)
            }
        default:
            return try await once(session, shownAt: [.newest]) { feed throws(LarderError) in
                try await feed.refresh(limit: limit)
            }
        }
    }

    /// `all`.
    func walk(_ session: FeedSession, _ stop: StopRequest) async throws -> ExitCode {
        try await steps(session, stop) { walk in await walk.all() }
    }

    /// `fill`, with the number of a gap or without.
    private func fill(_ number: Int?, _ session: FeedSession) async throws -> ExitCode {
        let gaps: [Gap]
        do throws(LarderError) {
            gaps = try session.feed.gaps()
        } catch {
            return try FeedChangeReport(operation.word, trouble: trouble(error), isJSON: options.isJSON).write()
        }
        guard number.map({ $0 <= gaps.count }) ?? true else {
            let state =
                switch gaps.count {
                case 0: "there is no gap"
                case 1: "there is 1 gap"
                default: "there are \(gaps.count) gaps"
                }
            let trouble = Trouble("noSuchGap", "\(state): 'gaps' lists what there is.", exitCode: .failure)
            var report = FeedChangeReport(operation.word, trouble: trouble, isJSON: options.isJSON)
            report.stored = await session.summary()
            return try report.write()
        }
        guard !gaps.isEmpty else { return try await report(nil, session) }
        let gap = gaps[(number ?? 1) - 1]
        let (side, limit) = (extent.side, limit)
        guard !extent.isWholly else {
            return try await Interruption.asking { stop in
                try await steps(session, stop) { walk in await walk.close(gap, from: side) }
            }
        }
        // A server that cannot be asked from one side is asked from the other.
        return try await once(session, shownAt: [.older(than: gap.above), .newer(than: gap.below)]) {
            feed throws(LarderError) in try await feed.fill(gap, from: side, limit: limit)
        }
    }

    private func once(
        _ session: FeedSession, shownAt positions: [FeedPosition], _ step: FeedWalk.Step
    ) async throws -> ExitCode {
        var walk = FeedWalk(session, limit: limit)
        await walk.once(step)
        return try await report(walk, session, shownAt: positions)
    }

    private func steps(
        _ session: FeedSession, _ stop: StopRequest, _ work: (inout FeedWalk) async -> Void
    ) async throws -> ExitCode {
        let progress = WalkProgress(items: await session.summary()?.items ?? 0, session: session)
        var walk = FeedWalk(
            session, limit: limit, maxRequests: extent.maxRequests, signal: { stop.signal },
            progress: { progress.show($0) })
        await work(&walk)
        progress.line.clear()
        return try await report(walk, session)
    }

    /// - Parameter positions: Next to where the new items are to be found, for showing them; none to count them only.
    private func report(
        _ walk: FeedWalk?, _ session: FeedSession, shownAt positions: [FeedPosition] = []
    ) async throws -> ExitCode {
        let tally = walk?.tally ?? FeedTally()
        var report = FeedChangeReport(operation.word, isJSON: options.isJSON)
        report.tally = tally
        report.notes = notes(tally.warnings) + (session.source.unfollowed.map { [Note(unfollowed: $0)] } ?? [])
        report.requests = session.source.requests
        report.stored = await session.summary()
        report.end = walk?.end ?? .done
        report.trouble = trouble(of: report.end, tally)
        for position in positions where !options.isJSON {
            let inserted = Set(tally.inserted).subtracting(report.items.map(\.id))
            let page = try? session.feed.peek(position, limit: max(limit, inserted.count))
            report.items += (page?.value.entries ?? []).filter { inserted.contains($0.id) }.map { ($0.id, $0.item) }
        }
        return try report.write()
    }

    /// Why the exit code is not zero.
    private func trouble(of end: FeedWalk.End, _ tally: FeedTally) -> Trouble? {
        switch end {
        case .done, .requestLimit, .interrupted: tally.warnings.trouble(folder: options.cache.url)
        case .failed(let error): trouble(error)
        case .stalled(let reason):
            Trouble(
                "stalled",
                "\(ReadingWarning.stalled(reason)) (\(reason.rawValue)). What came before is stored; "
                    + "'refresh' starts anew." + (reason == .nothingNew ? " \(Self.whatToCheck)" : ""),
                exitCode: .dataError)
        case .nothingNew:
            Trouble(
                "nothingNew",
                "the server gives nothing new any more, and nothing that says that the list ends here. \(Self.whatToCheck)",
                exitCode: .dataError)
        }
    }

    private static let whatToCheck =
        "If it should go on, check --paging, and the names of the parameters: a server that does not know one leaves it out."
}
