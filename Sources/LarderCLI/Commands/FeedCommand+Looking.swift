import Foundation
import LarderKit

/// Looking at what is stored, and watching the server.
extension FeedCommand {
    func listGaps(_ session: FeedSession) async throws -> ExitCode {
        let gaps: [Gap]
        let trouble: Trouble?
        do throws(LarderError) {
            guard try session.feed.timeline(limit: 1) != nil else { throw .notStored }
            (gaps, trouble) = (try session.feed.gaps(), nil)
        } catch {
            (gaps, trouble) = ([], await lookingTrouble(error, session))
        }
        return try GapList(gaps: gaps, trouble: trouble, isJSON: options.isJSON).write()
    }

    func showTimeline(_ session: FeedSession) async throws -> ExitCode {
        let reading: Reading<Timeline<Data>>?
        let trouble: Trouble?
        do throws(LarderError) {
            guard let stored = try session.feed.timeline(limit: limit) else { throw .notStored }
            (reading, trouble) = (stored, nil)
        } catch {
            (reading, trouble) = (nil, await lookingTrouble(error, session))
        }
        let hasGaps = reading?.value.gaps.isEmpty == false
        return try TimelineReport(
            rows: reading.map { Array($0.value) } ?? [],
            report: report(
                reading.map { Report.Facts($0, isComplete: !hasGaps) }, notes(reading?.warnings ?? []), trouble: trouble
            ),
            isJSON: options.isJSON
        ).write()
    }

    private func lookingTrouble(_ error: LarderError, _ session: FeedSession) async -> Trouble {
        guard case .notStored = error else { return trouble(error) }
        let next =
            await session.hasListsOfOtherPaths()
            ? "Of this URL a list is stored whose items or ids are elsewhere: give the --items and --id it is kept with "
                + "('larder ls' names them)."
            : "'refresh' asks for its head, 'all' for all of it."
        return Trouble(
            "notStored", "nothing is stored of this feed in \(options.cache.url.path). \(next)", exitCode: .failure)
    }

    func watch(_ session: FeedSession) async throws -> ExitCode {
        let report = WatchReport(isJSON: options.isJSON)
        let code = try await Interruption.cancelling {
            if !options.isJSON, Terminal.error.isTerminal {
                let words = "Asking every \(Units.age(extent.interval)), until Ctrl-C."
                try StandardStream.error.line(Terminal.error.styled(words, .dim))
            }
            let watch = FeedWatch(
                feed: session.feed, limit: limit, interval: extent.interval, refreshes: extent.refreshes,
                trouble: { trouble($0) }, note: { Note($0, folder: options.cache.url) },
                wait: { try await Task.sleep(for: $0) }, tell: { try report.write($0, at: Date()) })
            return try await watch.run()?.exitCode ?? .success
        }
        // To be ended by Ctrl-C is what a watch is for.
        return code.isOfSignal ? .success : code
    }
}
