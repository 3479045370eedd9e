import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// What one who watches a resource gets.
@Suite(.timeLimit(.minutes(5))) struct ResourceUpdatesTests {
    private typealias Gate = LarderTestKit.Gate

    @Test func theValueIsSeenWheneverItChanges() async throws {
        let script = try ScriptedResource(.answer(.number(1)), .answer(.number(2)))
        let (watched, other) = (script.resource(), script.resource())
        var iterator = watched.updates(refresh: .never).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.value == nil && first.activity == .idle && first.error == nil)

        _ = try await other.read()
        #expect(try await iterator.next()?.value == [1])
        _ = try await other.read(.networkOnly)
        let second = try #require(try await iterator.next())
        #expect(second.value == [2] && second.activity == .idle)
        try await other.remove()
        let third = try #require(try await iterator.next())
        #expect(third.value == nil && third.reading == nil)
        try script.origin.verify()
    }

    @Test func beginningToWatchAsksOnceWhenStale() async throws {
        let gate = Gate()
        let script = try ScriptedResource(.answer(.number(1)), .gated(gate, .number(2)))
        let resource = script.resource(maxAge: .seconds(60))
        _ = try await resource.read()
        var fresh = resource.updates().makeAsyncIterator()
        #expect(try await fresh.next()?.activity == .idle)

        await script.world.advance(by: .seconds(61))
        var iterator = resource.updates().makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.value == [1] && first.activity == .loading && first.reading?.isStale == true)
        gate.open()
        var last = try #require(try await iterator.next())
        while last.activity == .loading { last = try #require(try await iterator.next()) }
        #expect(last.value == [2] && last.activity == .idle)
        try script.origin.verify()
    }

    @Test func aFailureLeavesTheValue() async throws {
        let script = try ScriptedResource(.answer(.number(1)), .answer(.status(503)), .answer(.number(2)))
        let resource = script.resource()
        _ = try await resource.read()
        var iterator = resource.updates(refresh: .always).makeAsyncIterator()
        _ = try await iterator.next()
        await script.larder.settle()
        var failed = try #require(try await iterator.next())
        while failed.activity == .loading { failed = try #require(try await iterator.next()) }
        #expect(failed.value == [1] && failed.activity == .failed(.http(status: 503)))
        _ = try await resource.read()
        #expect(try await iterator.next()?.value == [2])
    }

    @Test func closingTheLarderEndsIt() async throws {
        let script = try ScriptedResource()
        var iterator = script.resource().updates(refresh: .never).makeAsyncIterator()
        _ = try await iterator.next()
        script.larder.close()
        #expect(try await iterator.next() == nil)
    }
}
