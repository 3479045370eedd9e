import Foundation
import LarderKit
import LarderTestKit

/// One run of a case, from an empty cache on.
final class StepsRun {
    private let script: StepsScript
    private let origin: StepsOrigin
    private let world: ScenarioWorld
    private var beginning = Duration.zero
    private var hasEnding = false
    /// How long the value of a key is good.
    private var lifetimes: [String: Duration] = [:]
    /// The requests before the first thing that may be a reason to refresh.
    private var askedBefore: Int?

    init(_ script: StepsScript) throws {
        self.script = script
        let clock = ManualClock(wall: script.start)
        let origin = StepsOrigin(clock: clock)
        self.origin = origin
        // Word of the network goes from task to task before it leads to anything.
        world = try ScenarioWorld(clock: clock, connectivity: script.initial, network: origin, leastCalm: 80)
    }

    /// - Throws: ``CaseFailure`` at the first thing that is not as expected.
    func run() async throws {
        let feeds = try await begin()
        defer {
            feeds.end()
            world.end()
        }
        for step in script.steps {
            do {
                try await run(step)
            } catch {
                throw ((error as? CaseFailure) ?? CaseFailure("expected no error, got \(error)")).within(step.name)
            }
        }
    }

    private func begin() async throws -> FollowedFeeds {
        if script.beginsWithValue {
            for key in Set(script.steps.map(\.key)) { _ = try await resource(key, lifetime: .zero).read(.networkOnly) }
        }
        obey(script.initial)
        let feeds = FollowedFeeds(script.feeds, in: world.larder, origin: origin)
        if script.feeds > 0 {
            // What following begins with is over when the case begins.
            await world.pass(.seconds(60))
            world.set(wall: script.start)
        }
        beginning = world.clock.elapsed
        return feeds
    }

    private func run(_ step: StoreStep) async throws {
        await moveTime(to: step)
        if let ending = step.ending {
            hasEnding = true
            origin.prepare(ending)
        }
        if let event = step.event {
            askedBefore = askedBefore ?? origin.requests.count
            obey(event)
            world.connectivity.set(event)
            await world.settle()
        }
        var record = StepsRecord()
        let asked = origin.requests.count
        try await perform(step, &record)
        await world.settle()
        record.requests = origin.requests.count - asked
        try check(step, record)
    }

    private func moveTime(to step: StoreStep) async {
        if let at = step.at {
            await world.pass(max(.zero, beginning + .seconds(at) - world.clock.elapsed))
        } else {
            // The step comes when what the one before has begun is over.
            _ = await world.pass(until: { [origin] in !origin.isHolding }, limit: Self.longestWait)
        }
        await world.pass(.seconds(step.passes))
        if let wall = step.wall { world.set(wall: wall) }
    }

    /// Where the case does not say how requests end, they end as the link is.
    private func obey(_ state: Connectivity) {
        guard !hasEnding else { return }
        origin.prepare(state == .offline ? .failed(FetchFailure(.offline, "scripted: offline")) : .answered)
    }

    private func perform(_ step: StoreStep, _ record: inout StepsRecord) async throws {
        switch step.operation {
        case .put(let lifetime):
            lifetimes[step.key] = lifetime
            record.outcome = try await read(step.key, .networkOnly)
            guard record.outcome?.body != nil else { throw CaseFailure("nothing was put") }
        case .get(nil):
            record.outcome = try resource(step.key, lifetime: lifetimes[step.key]).peek().map { HTTPOutcome($0) }
        case .get(.some(let policy)), .read(let policy):
            record.outcome = try await read(step.key, policy)
        case .request:
            record.outcome = try await read("something else", .cacheFirst)
        case .observe:
            // First everything that follows from what was told to the larder, then the look.
            await world.pass(.seconds(Self.debounce))
            record.states = await states()
        case .enterForeground:
            askedBefore = askedBefore ?? origin.requests.count
            world.larder.enteredForeground()
        case .open, .none:
            break
        }
    }

    /// Longer than any flapping is waited out.
    private static let debounce = 10.0
    private static let longestWait = Duration.seconds(3600)

    private func read(_ key: String, _ policy: ReadPolicy) async throws -> HTTPOutcome {
        let call = world.call(resource(key, lifetime: lifetimes[key]), policy)
        guard await world.pass(until: { call.outcome != nil }, limit: Self.longestWait), let outcome = call.outcome
        else { throw CaseFailure("the read did not come to an end") }
        return outcome
    }

    private func resource(_ key: String, lifetime: Duration?) -> Resource<Data> {
        let origin = origin
        return world.larder.common.bytes(key, maxAge: lifetime) { request in
            RawAnswer(body: Data(try await origin.answer(to: request.key).utf8))
        }
    }

    /// What somebody hears who begins to follow what is known about the network.
    private func states() async -> [Connectivity] {
        let heard = HeardStates()
        let states = world.larder.connectivityStates()
        let listener = Task { for await state in states { heard.append(state) } }
        await world.pass(.seconds(Self.debounce))
        listener.cancel()
        return heard.all
    }

    private func check(_ step: StoreStep, _ record: StepsRecord) throws {
        var record = record
        record.state = world.larder.connectivity
        let refreshes = origin.requests.dropFirst(askedBefore ?? 0).filter { $0.hasPrefix(FollowedFeeds.prefix) }
        record.refreshes = (0..<script.feeds).map { number in
            refreshes.count { $0 == "\(FollowedFeeds.prefix)\(number + 1)" }
        }
        record.mostTogether = origin.mostTogether
        for expectation in step.expectations {
            if let failure = record.failure(of: expectation) { throw CaseFailure(failure) }
        }
    }
}
