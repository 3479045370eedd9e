import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// A clock that is set a year ahead, or two days back, between any two steps.
@Suite(.timeLimit(.minutes(5)))
struct SteppedClockTests {
    private typealias Item = SimulatedFeedServer.Item

    static let steps: [TimeInterval] = [31_536_000, -172_800, -31_536_000]

    private let folder: TestFolder
    private let world = TestWorld()

    init() throws { folder = try TestFolder() }

    private func open() throws -> Partition {
        Partition(core: try LarderCore(folder: folder.url, environment: world.environment), name: "")
    }

    private func step(_ seconds: TimeInterval) { world.clock.set(wall: world.clock.now().addingTimeInterval(seconds)) }

    @Test(arguments: steps, [ResourceOptions.Storage.database, .files])
    func `whatever comes later replaces what was before, in this process and the next`(
        seconds: TimeInterval, storage: ResourceOptions.Storage
    ) async throws {
        for isReopened in [false, true] {
            var partition = try open()
            func resource(_ value: Int) -> Resource<Int> {
                partition.resource("k \(isReopened)", maxAge: .seconds(60), options: .init(storage: storage)) { value }
            }
            func change() throws {
                step(seconds)
                if isReopened { partition = try open() }
            }
            _ = try await resource(1).read()
            try change()
            let second = try await resource(2).read()
            #expect(second.value == 2 && second.age == .zero && second.warnings.isEmpty)
            #expect(try await resource(3).read().reason == .fresh)
            try change()
            try await resource(0).store(4)
            #expect(try resource(0).peek()?.value == 4)
            try change()
            #expect(try await resource(5).read().value == 5)
            try change()
            try await resource(0).remove()
            #expect(try resource(0).peek() == nil)
            try change()
            let last = try await resource(6).read()
            #expect(last.value == 6 && last.warnings.isEmpty)
            #expect(try resource(0).peek()?.value == 6)
        }
    }

    @Test(arguments: steps)
    func `an answer that was asked for before a removal stays out, whatever the clock says since`(
        seconds: TimeInterval
    ) async throws {
        let partition = try open()
        let gate = Gate()
        let slow = partition.resource("k") {
            try await gate.wait()
            return 1
        }
        let reader = Task { try await slow.read() }
        await gate.reached()
        step(seconds)
        try await slow.remove()
        step(seconds)
        gate.open()
        #expect(try await reader.value.warnings.count == 1)
        #expect(try slow.peek() == nil)
        #expect(try await partition.resource("k") { 2 }.read().value == 2)
        #expect(try slow.peek()?.value == 2)
    }

    @Test(arguments: steps)
    func `a page that comes later replaces what was before`(seconds: TimeInterval) async throws {
        var partition = try open()
        func feed(_ ids: [String]) -> Feed<Item> {
            partition.feed("f", paging: .byID(), maxAge: .seconds(60)) { _ in Page(ids.map { Item(ItemID($0)) }) }
        }
        _ = try await feed(["3", "2", "1"]).page(limit: 3)
        step(seconds)
        let second = try await feed(["4", "3", "1"]).page(limit: 3)
        #expect(second.value.ids == ["4", "3", "1"] && second.warnings.isEmpty && second.age == .zero)
        step(seconds)
        try await partition.remove(item: "4")
        #expect(try feed([]).peek(limit: 3)?.value.ids == ["3", "1"])
        step(seconds)
        partition = try open()
        let third = try await feed(["5", "4", "3"]).page(limit: 3)
        #expect(third.value.ids == ["5", "4", "3"])
    }

    @Test(arguments: steps)
    func `a server that wants to be left alone is so for its time, by no clock that can be set`(
        seconds: TimeInterval
    ) async throws {
        let origin = ScriptedFetch<Void, Int>(
            .answer(1), .fail(.http(status: 503, retryAfter: .seconds(100))), .answer(2))
        let resource = try open().resource("k") { try await origin() }
        _ = try await resource.read()
        await world.advance(by: .seconds(1))
        #expect(try await resource.read().reason == .networkFailed)
        step(seconds)
        await world.advance(by: .seconds(99))
        let held = try await resource.read()
        #expect(held.reason == .heldBack && held.failure?.retryAfter == .seconds(1) && held.isStale)
        await world.advance(by: .seconds(1))
        #expect(try await resource.read().value == 2)
    }
}
