import Synchronization
import Testing

@testable import LarderTestKit

@Suite(.timeLimit(.minutes(5)))
struct WaitingLineTests {
    private final class Line: Sendable {
        let state = Mutex(WaitingLine<Int>())
    }

    /// Suspends one task for each key, in this order, and hands the full line to `body`.
    private func withLine(
        keys: [Int], _ body: (inout WaitingLine<Int>) -> [(ticket: UInt64, continuation: WaitingLine<Int>.Continuation)]
    ) async throws -> [UInt64] {
        let line = Line()
        return try await withThrowingTaskGroup { group in
            for key in keys {
                let ticket = line.state.withLock { $0.drawTicket() }
                let isIn = Gate()
                group.addTask {
                    try await WaitingLine<Int>.wait { continuation in
                        line.state.withLock { $0.join(ticket, key: key, continuation) }
                        isIn.open()
                        return nil
                    } leave: {
                        nil
                    }
                }
                try await isIn.wait()
            }
            let taken = line.state.withLock { body(&$0) }
            for place in taken { place.continuation.resume() }
            try await group.waitForAll()
            return taken.map(\.ticket)
        }
    }

    @Test(arguments: [
        ([3, 1, 2], [1, 2, 0]),
        ([5, 5, 5], [0, 1, 2]),
        ([2, 1, 2, 1], [1, 3, 0, 2]),
    ])
    func `tasks are taken by key, and at equal keys in the order they came`(keys: [Int], order: [UInt64]) async throws {
        let taken = try await withLine(keys: keys) { line in
            var taken: [(UInt64, WaitingLine<Int>.Continuation)] = []
            while let place = line.takeFirst(upTo: .max) { taken.append((place.ticket, place.continuation)) }
            return taken
        }
        #expect(taken == order)
    }

    @Test func `nobody above the key is taken`() async throws {
        let taken = try await withLine(keys: [1, 2, 3]) { line in
            let low = line.takeAll(upTo: 2)
            #expect(low.count == 2)
            #expect(line.takeFirst(upTo: 2) == nil)
            #expect(line.first?.key == 3)
            let rest = line.takeAll(upTo: 3)
            #expect(line.count == 0)
            return (low + rest).enumerated().map { (UInt64($0.offset), $0.element) }
        }
        #expect(taken.count == 3)
    }

    @Test func `a ticket leaves once`() async throws {
        _ = try await withLine(keys: [1]) { line in
            let ticket: UInt64 = 0
            let left = line.leave(ticket)
            #expect(line.leave(ticket) == nil)
            return left.map { [(ticket, $0)] } ?? []
        }
    }
}
