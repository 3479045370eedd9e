import LarderTestKit
import Testing

@testable import LarderKit

/// A resource for a view.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ResourceModelTests {
    @Test func whatIsStoredIsThereAtOnceAndAFailureLeavesIt() async throws {
        let script = try ScriptedResource(.answer(.number(1)), .answer(.status(503)), .answer(.number(2)))
        let resource = script.resource()
        let empty = ResourceModel(resource)
        #expect(empty.value == nil && empty.error == nil && !empty.isLoading && empty.isStale)
        _ = try await resource.read()

        let model = ResourceModel(resource)
        #expect(model.value == [1] && model.reading?.source == .cache)
        #expect(await model.refresh() == nil)
        guard case .fetch(let failure) = model.error, failure == .http(status: 503) else {
            Issue.record("the error is \(String(describing: model.error))")
            return
        }
        #expect(model.value == [1])
        #expect(await model.refresh()?.value == [2])
        #expect(model.value == [2] && model.error == nil && !model.isLoading)
    }

    @Test func itFollowsWhileItsTaskRunsAndNothingKeepsItAlive() async throws {
        let script = try ScriptedResource(.answer(.number(1)))
        weak var gone: ResourceModel<[Int]>?
        do {
            let model = ResourceModel(script.resource())
            gone = model
            let running = Task { await model.run() }
            while model.value == nil { await Task.yield() }
            #expect(model.value == [1])
            running.cancel()
            await running.value
        }
        for _ in 0..<1000 where gone != nil { await Task.yield() }
        #expect(gone == nil)
        #expect(script.larder.core.changes.followerCount == 0)
    }
}
