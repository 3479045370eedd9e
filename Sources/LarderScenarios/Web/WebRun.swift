import Foundation
import LarderKit
import LarderTestKit

/// One run of a case over one layer, from an empty cache on.
final class WebRun {
    typealias MakeLayer = (WebScript, ScenarioWorld, WebOrigin) throws -> any WebLayer

    private let script: WebScript
    private let origin: WebOrigin
    private let world: ScenarioWorld
    private let layer: any WebLayer
    /// When the case is, and when its last step was to be; calls that wait make the first the later one.
    private var time = 0.0
    private var lastStep = 0.0
    private var isOffline = false
    /// Requests that were not waited for.
    private var pending: [String: PendingCall] = [:]

    /// A call that takes longer is taken to go on for ever.
    private static let longestWait = Duration.seconds(3600)

    /// - Parameter isRemote: The layer has real connections.
    init(_ script: WebScript, isRemote: Bool, over makeLayer: @escaping MakeLayer) throws {
        self.script = script
        let clock = ManualClock(wall: script.start)
        origin = WebOrigin(clock: clock, isRemote: isRemote)
        world = try ScenarioWorld(clock: clock, network: origin, leastCalm: 40)
        do {
            layer = try makeLayer(script, world, origin)
        } catch {
            world.end()
            throw error
        }
    }

    /// - Throws: ``CaseFailure`` at the first thing that is not as expected.
    func run() async throws {
        do {
            for step in script.steps {
                do {
                    try await run(step)
                } catch {
                    throw ((error as? CaseFailure) ?? CaseFailure("expected no error, got \(error)")).within(step.name)
                }
            }
        } catch {
            await end()
            throw error
        }
        await end()
    }

    private func end() async {
        for call in pending.values { call.cancel() }
        await layer.stop()
        world.end()
    }

    private func run(_ step: WebStep) async throws {
        await moveTime(to: step)
        if let network = step.network {
            world.connectivity.set(network)
            isOffline = network == .offline
            layer.set(isOffline: isOffline)
        }
        let asked = origin.requests.count
        var record = HTTPRecord()
        try await perform(step, &record)
        record.requests = Array(origin.requests.dropFirst(asked))
        origin.rest()
        if let objection = origin.objection { throw objection }
        let check = HTTPCheck(record: record)
        for expectation in step.expectations {
            if let failure = check.failure(of: expectation) { throw CaseFailure(failure) }
        }
    }

    private func moveTime(to step: WebStep) async {
        if let at = step.at {
            if at >= lastStep {
                await world.pass(.seconds(max(0, at - time)))
                time = max(time, at)
            } else {
                // Where a case goes back in its time, only the clock does.
                world.set(wall: world.clock.now() + (at - time))
                time = at
            }
            lastStep = at
        }
        if let wall = step.wall { world.set(wall: wall) }
    }

    private func perform(_ step: WebStep, _ record: inout HTTPRecord) async throws {
        switch step.operation {
        case .request(let request):
            origin.prepare(request.answers)
            record.outcomes = try await ask(request, step.account)
        case .awaitAnswer(let name):
            guard let call = pending.removeValue(forKey: name) else { throw CaseFailure("nothing is called \(name)") }
            record.outcomes = try await outcomes(of: [call])
        case .cancel(let name):
            guard let call = pending[name] else { throw CaseFailure("nothing is called \(name)") }
            call.cancel()
        case .peekStore(let url, let headers):
            let outcomes = try await ask(WebRequest(peeking: url, headers), step.account)
            record.outcomes = outcomes.filter { $0.source == .cache && $0.status != 504 }
        case .search(let text):
            record.hits = try DiskSearch.count(text, in: world.folder)
        case .signOut:
            try await layer.signOut(step.account)
        case .restart:
            await layer.close()
            try world.restart()
            try layer.reopen()
            layer.set(isOffline: isOffline)
        case .pass:
            break
        }
        await world.settle()
    }

    private func ask(_ request: WebRequest, _ account: String?) async throws -> [HTTPOutcome] {
        let policy = request.policy ?? script.policy
        let calls = try (0..<request.callers).map { _ in
            world.call(try layer.call(request, policy, account: account))
        }
        guard let name = request.name else { return try await outcomes(of: calls) }
        pending[name] = calls[0]
        return []
    }

    private func outcomes(of calls: [PendingCall]) async throws -> [HTTPOutcome] {
        let isOver = { calls.allSatisfy { $0.outcome != nil } }
        let before = world.clock.elapsed
        guard await world.pass(until: isOver, limit: Self.longestWait) else {
            throw CaseFailure("the call did not come to an end")
        }
        // What a call waits for is time that passes between this step and the next one.
        time += (world.clock.elapsed - before).inSeconds
        return calls.compactMap(\.outcome)
    }
}
