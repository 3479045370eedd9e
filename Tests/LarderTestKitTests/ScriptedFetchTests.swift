import LarderKit
import LarderTestKit
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ScriptedFetchTests {
    struct Odd: Error, Equatable {}

    @Test func `steps are taken in order`() async throws {
        let origin = ScriptedFetch<Void, Int>(.answer(1), .fail(.http(status: 503)), .fail(Odd()), .answer(2))
        #expect(try await origin() == 1)
        let failure = await #expect(throws: FetchFailure.self) { try await origin() }
        #expect(failure?.kind == .server(status: 503))
        await #expect(throws: Odd()) { try await origin() }
        #expect(!origin.isExhausted)
        #expect(try await origin(()) == 2)
        #expect(origin.isExhausted)
        try origin.verify()
    }

    @Test func `requests are recorded and may shape the reply`() async throws {
        let origin = ScriptedFetch<Int, String>(.reply { "page \($0)" }, .answer("fixed"))
        #expect(try await origin(7) == "page 7")
        #expect(try await origin(8) == "fixed")
        #expect(origin.requests == [7, 8])
    }

    @Test func `an unscripted request is refused, remembered and reported`() async throws {
        let origin = ScriptedFetch<Int, Int>(.answer(1))
        _ = try await origin(10)
        let objection = await #expect(throws: Unscripted.self) { try await origin(11) }
        #expect(objection?.number == 2)
        #expect(objection?.request == "11")
        #expect(origin.unexpected == [11])
        #expect(origin.requests == [10, 11])
        let violation = #expect(throws: ScriptViolation.self) { try origin.verify() }
        #expect(violation?.unexpected == ["11"])
        #expect(violation?.remaining == 0)
        #expect(violation?.description == "not in the script: 11")
    }

    @Test func `a step that is added later serves the next request, and the objection stays`() async throws {
        let origin = ScriptedFetch<Int, Int>()
        _ = try? await origin(1)
        origin.append(.answer(5))
        #expect(origin.remaining == 1)
        #expect(try await origin(2) == 5)
        #expect(origin.unexpected == [1])
    }

    @Test func `a script that was not played out is reported`() async throws {
        let origin = ScriptedFetch<Void, Int>(.answer(1), .answer(2))
        _ = try await origin()
        let violation = #expect(throws: ScriptViolation.self) { try origin.verify() }
        #expect(violation?.remaining == 1)
        #expect(violation?.unexpected == [])
    }

    @Test func `a gated answer waits for its gate`() async throws {
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.gated(gate, 1), .answer(2))
        async let held = origin()
        await gate.reached()
        #expect(origin.isExhausted == false)
        #expect(try await origin() == 2)
        #expect(gate.waitingCount == 1)
        gate.open()
        #expect(try await held == 1)
    }

    @Test func `a held failure comes when its gate opens`() async {
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.hold(at: gate, then: .fail(.http(status: 404))))
        let held = Task { try await origin() }
        await gate.reached()
        gate.open()
        let failure = await #expect(throws: FetchFailure.self) { try await held.value }
        #expect(failure?.kind == .gone(status: 404))
    }

    @Test func `a held request ends when it is cancelled`() async {
        let origin = ScriptedFetch<Void, Int>(.hold)
        let held = Task { try await origin() }
        await origin.requests(atLeast: 1)
        held.cancel()
        await #expect(throws: CancellationError.self) { try await held.value }
    }

    @Test func `many tasks take each step once`() async throws {
        let steps = (0..<100).map { ScriptedFetch<Int, Int>.Step.answer($0) }
        let origin = ScriptedFetch<Int, Int>(steps)
        let values = try await withThrowingTaskGroup { group in
            for request in 0..<100 { group.addTask { try await origin(request) } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(values == Set(0..<100))
        #expect(Set(origin.requests) == Set(0..<100))
        try origin.verify()
    }
}
