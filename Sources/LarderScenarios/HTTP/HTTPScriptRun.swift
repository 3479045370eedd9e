import Foundation
import LarderKit
import LarderTestKit

/// One run of a case, from an empty cache on.
final class HTTPScriptRun {
    private let script: HTTPScript
    private let origin = HTTPOrigin()
    private let world: ScenarioWorld
    /// When the case is, and when its last step was to be; calls that wait make the first the later one.
    private var time = 0.0
    private var lastStep = 0.0
    /// Requests that were not waited for.
    private var pending: [String: PendingCall] = [:]
    private var handles: [String: Resource<Data>] = [:]

    /// A call that takes longer is taken to go on for ever.
    private static let longestWait = Duration.seconds(3600)

    init(_ script: HTTPScript) throws {
        self.script = script
        world = try ScenarioWorld(clock: ManualClock(wall: script.start), network: origin)
    }

    /// - Throws: ``CaseFailure`` at the first thing that is not as expected.
    func run() async throws {
        defer { world.end() }
        for step in script.steps {
            do {
                try await run(step)
            } catch {
                throw ((error as? CaseFailure) ?? CaseFailure("expected no error, got \(error)")).within(step.name)
            }
        }
    }

    private func run(_ step: HTTPStep) async throws {
        await moveTime(to: step)
        if let network = step.network { world.connectivity.set(network) }
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

    private func moveTime(to step: HTTPStep) async {
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

    private func perform(_ step: HTTPStep, _ record: inout HTTPRecord) async throws {
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
        case .peekStore(let url):
            let reading = try resource(url, step.account).peek()
            record.outcomes = reading.map { [HTTPOutcome($0)] } ?? []
        case .search(let text):
            record.hits = try DiskSearch.count(text, in: world.folder)
        case .signOut:
            try await partition(step.account).signOut()
        case .restart:
            handles = [:]
            try world.restart()
        case .remove(let url):
            try await resource(url, step.account).remove()
        case .store(let url, let body):
            try await resource(url, step.account).store(body)
        case .invalidate(let prefix):
            try await partition(step.account).invalidate(.prefix(prefix))
        case .pass:
            break
        }
        await world.settle()
    }

    private func ask(_ request: HTTPRequest, _ account: String?) async throws -> [HTTPOutcome] {
        let resource = handles[request.handle ?? ""] ?? resource(request.url, account)
        if let handle = request.handle { handles[handle] = resource }
        let calls = (0..<request.callers).map { _ in
            world.call(resource, request.policy ?? script.policy)
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

    private func partition(_ account: String?) -> Partition {
        account.map { world.larder.partition($0) } ?? world.larder.common
    }

    private func resource(_ url: String, _ account: String?) -> Resource<Data> {
        let (origin, clock) = (origin, world.clock)
        return partition(account).bytes(
            url, expecting: script.content, maxAge: script.maxAge, policy: script.policy,
            options: script.options
        ) { request in
            try await origin.answer(request, account: account, clock: clock)
        }
    }
}
