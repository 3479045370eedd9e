import Foundation
import LarderKit

/// One run of a case, from an empty cache on.
struct FeedScriptRun<Item: ReaderItem> {
    private let script: FeedScript
    private let origin: ScriptedOrigin
    private let world: FeedWorld<Item>
    private let limit: Int

    init(_ script: FeedScript, file: URL) throws {
        let recording = try script.recording.map { try Recording($0, besides: file) }
        self.script = script
        origin = ScriptedOrigin(script, recording: recording)
        world = try FeedWorld<Item>(script, origin: origin)
        limit = script.server == nil ? recording?.limit ?? script.rule.limit : script.rule.limit
    }

    /// - Throws: ``CaseFailure`` at the first thing that is not as expected.
    func run() async throws {
        defer { world.end() }
        var time = 0.0
        var whole = StepRecord()
        for step in script.steps {
            time = step.at ?? time
            await world.setTime(time)
            origin.prepare(step.answers, at: time)
            do {
                whole.add(try await run(step))
            } catch {
                throw Self.failure(error).within(step.name)
            }
        }
        do {
            if script.steps.isEmpty { try await readToTheEnd() }
            whole.after = try await world.facts()
            whole.requests = origin.requests
            try check(script.expectations, whole)
        } catch {
            throw Self.failure(error).within("at the end")
        }
    }

    private func run(_ step: ScriptStep) async throws -> StepRecord {
        var record = StepRecord(before: try await world.facts(), anchor: step.anchor)
        let asked = origin.requests.count
        for _ in 0..<step.times {
            do {
                try await perform(step, &record)
            } catch LarderError.fetch(let failure) {
                record.failure = failure
            }
        }
        record.after = try await world.facts()
        record.requests = Array(origin.requests.dropFirst(asked))
        if case .reloadFirstPage = step.operation { record.addDifference() }
        try check(step.expectations, record)
        return record
    }

    private func perform(_ step: ScriptStep, _ record: inout StepRecord) async throws {
        let (feed, limit) = (world.feed, step.limit ?? limit)
        switch step.operation {
        case .refresh:
            record.add(try await feed.refresh(limit: limit))
        case .loadOlder:
            record.add(try await feed.loadOlder(limit: limit))
        case .loadGap(let gap, let side):
            record.add(try await feed.fill(gap, from: side ?? .newer, limit: limit))
        case .loadGapIfAny(let side):
            guard let gap = try feed.gaps().first else { return }
            record.add(try await feed.fill(gap, from: side ?? .newer, limit: limit))
        case .reloadFirstPage:
            let reading = try await feed.page(.newest, limit: limit, policy: .networkOnly)
            record.failure = reading.failure
            record.add(reading.warnings)
        case .read:
            try await read(limit)
        case .restart:
            try world.restart()
        case .remove(let id):
            try await world.larder.partition("reader").remove(item: id)
        }
    }

    /// Reads the newest page from the cache, be it there or not.
    private func read(_ limit: Int) async throws {
        do {
            _ = try await world.feed.page(.newest, limit: limit, policy: .cacheOnly)
        } catch {
            guard case .notStored = error else { throw error }
        }
    }

    /// A case without steps: the newest page, and older ones until the end is known or nothing new comes any more.
    private func readToTheEnd() async throws {
        _ = try await world.feed.refresh(limit: limit)
        var fruitless = 0
        while fruitless < 3, try await !world.facts().isAtEnd {
            do {
                fruitless = try await world.feed.loadOlder(limit: limit).inserted.isEmpty ? fruitless + 1 : 0
            } catch LarderError.fetch {
                fruitless += 1
            }
        }
    }

    private func check(_ expectations: [Expectation], _ record: StepRecord) throws(CaseFailure) {
        let checker = ExpectationCheck(record: record, script: script, base: origin.base, time: origin.time)
        for expectation in expectations {
            guard let failure = checker.failure(of: expectation) else { continue }
            throw CaseFailure(failure + (record.failure.map { " (a call failed: \($0))" } ?? ""))
        }
    }

    private static func failure(_ error: any Error) -> CaseFailure {
        (error as? CaseFailure) ?? CaseFailure("expected no error, got \(error)")
    }
}
