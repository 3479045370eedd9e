import Foundation
import LarderKit

/// Bringing a list in: by one step, or by as many as it takes.
extension FeedCommand {
    /// `refresh`, `older` and `fill`.
    func step(_ session: FeedSession) async throws -> ExitCode {
        switch operation {
        case .fill(let number):
            let gaps: [Gap]
            do {
                gaps = try session.feed.gaps()
            } catch {
                return try FeedChangeReport(operation.word, trouble: trouble(error), isJSON: options.isJSON).write()
            }
            if let number, number > gaps.count {
                let state =
                    gaps.isEmpty ? "there is no gap" : "there is no gap \(number); the last one is \(gaps.count)"
                let trouble = Trouble("noSuchGap", "\(state). 'gaps' lists what there is.", exitCode: .failure)
                return try FeedChangeReport(operation.word, trouble: trouble, isJSON: options.isJSON).write()
            }
            guard !gaps.isEmpty else {
                return try await report(nil, session, shownAt: nil)
            }
            return try await fill(gaps[(number ?? 1) - 1], session)
        case .older:
            let lowest = await session.summary()?.runs.last?.oldest
            var walk = await self.walk(session)
            let limit = limit
            await walk.once { feed throws(LarderError) in try await feed.loadOlder(limit: limit) }
            return try await report(walk, session, shownAt: lowest.map { .older(than: $0) } ?? .newest)
        default:
            var walk = await self.walk(session)
            let limit = limit
            await walk.once { feed throws(LarderError) in try await feed.refresh(limit: limit) }
            return try await report(walk, session, shownAt: .newest)
        }
    }

    private func fill(_ gap: Gap, _ session: FeedSession) async throws -> ExitCode {
        let side = extent.side
        guard !extent.isWholly else {
            return try await Interruption.asking { stop in
                let line = ProgressLine(.error, items: await session.summary()?.items ?? 0, session)
                var walk = await self.walk(session, stop, line)
                await walk.close(gap, from: side)
                line.clear()
                return try await report(walk, session, shownAt: nil)
            }
        }
        var walk = await self.walk(session)
        let limit = limit
        await walk.once { feed throws(LarderError) in try await feed.fill(gap, from: side, limit: limit) }
        return try await report(
            walk, session, shownAt: side == .newer ? .older(than: gap.above) : .newer(than: gap.below))
    }

    /// `all`.
    func walk(_ session: FeedSession, _ stop: StopRequest) async throws -> ExitCode {
        let line = ProgressLine(.error, items: await session.summary()?.items ?? 0, session)
        var walk = await self.walk(session, stop, line)
        await walk.all()
        line.clear()
        return try await report(walk, session, shownAt: nil)
    }

    private func walk(
        _ session: FeedSession, _ stop: StopRequest? = nil, _ line: ProgressLine? = nil
    ) async -> FeedWalk {
        FeedWalk(
            feed: session.feed, limit: limit, maxRequests: stop == nil ? .max : extent.maxRequests,
            requests: { session.source.requests }, questions: { session.source.questions },
            signal: { stop?.signal },
            isWhole: { await session.summary()?.isFloorProven == true },
            progress: { line?.show($0) })
    }

    /// - Parameter position: Next to where the new items are to be found, for showing them; `nil` to count them only.
    private func report(
        _ walk: FeedWalk?, _ session: FeedSession, shownAt position: FeedPosition?
    ) async throws -> ExitCode {
        let tally = walk?.tally ?? FeedTally()
        var report = FeedChangeReport(operation.word, isJSON: options.isJSON)
        report.tally = tally
        report.notes = notes(tally.warnings)
        report.requests = session.source.requests
        report.stored = await session.summary()
        report.end = walk?.end ?? .done
        report.trouble = trouble(of: report.end, tally)
        if let position, !options.isJSON {
            let inserted = Set(tally.inserted)
            let page = try? session.feed.peek(position, limit: max(limit, inserted.count))
            report.items = (page?.value.entries ?? []).filter { inserted.contains($0.id) }.map { ($0.id, $0.item) }
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
                    + "'refresh' starts anew.",
                exitCode: .dataError)
        case .nothingNew:
            Trouble(
                "nothingNew",
                "the server gives nothing new any more, and nothing that says that the list ends here. If it should go on, "
                    + "check --paging, and the names of the parameters: a server that does not know one leaves it out.",
                exitCode: .dataError)
        }
    }
}
