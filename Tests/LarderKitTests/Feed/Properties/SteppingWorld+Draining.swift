import LarderTestKit

@testable import LarderKit

/// An app that reads on to the end and fills every gap, on a server that has come to rest.
extension SteppingWorld {
    func drain() async throws {
        server.clearFaults()
        log.append("the server is at rest")
        var exchanges: [Exchange] = []
        let bound = try 4 * (server.ids.count + stored().items.count) + 40

        func call(_ call: SteppingStep.Call) async throws -> Outcome {
            await world.advance(by: .milliseconds(1))
            let outcome = try await take(call, SteppingStep.Upset(), stored())
            exchanges += outcome.exchanges
            try checkRepetition(exchanges, bound: bound)
            return outcome
        }

        _ = try await call(.refresh(limit: 4))
        var calls = 0
        while true {
            calls += 1
            guard calls <= bound else { throw Violation("reading on does not come to the end") }
            let outcome = try await call(.older(limit: 3))
            if outcome.change?.isAtEnd == true || outcome.isStalled && isEndOverOthers { break }
            if outcome.isStalled { throw Violation("reading on was given up, and the server is as it should be") }
            try await removeMissing(outcome)
        }
        while let gap = try feed.gaps().first {
            calls += 1
            guard calls <= 2 * bound else { throw Violation("\(gap) does not close") }
            let side: GapSide = calls.isMultiple(of: 3) ? .older : .newer
            let outcome = try await call(.fill(calls, side, limit: 3))
            try await removeMissing(outcome)
            if outcome.isStalled, isEndOverOthers { break }
            if outcome.isStalled { throw Violation("filling was given up, and the server is as it should be") }
        }
        try checkWholeness()
    }

    /// What a ranked list showed earlier stays below where it ends now.
    private var isEndOverOthers: Bool { setup.order == .ranked }

    /// An app that is told that an item is gone says so.
    private func removeMissing(_ outcome: Outcome) async throws {
        guard setup.kind == .item, case .gone? = outcome.failure?.kind, let request = outcome.exchanges.last?.request
        else { return }
        for case let id? in [request.above, request.below] where !server.ids.contains(id) {
            try await larder.common.remove(item: id)
            removedAt[id] = .max
        }
    }

    private func checkRepetition(_ exchanges: [Exchange], bound: Int) throws {
        guard exchanges.count <= 3 * bound else { throw Violation("no end after \(exchanges.count) requests") }
        func key(_ exchange: Exchange) -> PageRequest {
            var request = exchange.request
            request.edge = nil
            return request
        }
        guard let last = exchanges.last.map(key) else { return }
        let count = exchanges.reversed().prefix { key($0) == last }.count
        guard count <= setup.fruitlessPages + 2 else { throw Violation("\(last.summary) \(count) times in a row") }
    }

    /// Everything is there that a list has which nobody but its growing has changed.
    private func checkWholeness() throws {
        guard lies.isEmpty, removedAt.isEmpty else { return }
        let shown = try stored().items.map(\.id)
        switch (setup.order, setup.changes) {
        case (.newestOnTop, .insertions), (.newestOnTop, .none), (.decimal, .none), (.text, .none):
            guard shown == server.ids else { throw Violation("shown are \(shown), and there are \(server.ids)") }
        case (.ranked, .none):
            let missing = Set(server.ids).subtracting(shown)
            guard missing.isEmpty else { throw Violation("\(missing) were never reached") }
        default:
            break
        }
    }
}
