import LarderTestKit
import Synchronization

@testable import LarderKit

/// The server of a history, with what goes wrong while a call is under way; it remembers which version each answer was
/// made from.
final class SteppingOrigin: Sendable {
    struct Exchange: Sendable {
        /// The order of the stamp that the answer bears.
        let stamp: Int64
        let request: PageRequest
        let answer: SimulatedFeedServer.Answer
    }

    struct State: Sendable {
        var changes: ServerChanges
        var upset = SteppingStep.Upset()
        /// What the cache held when the call began.
        var stored: [ItemID] = []
        var exchanges: [Exchange] = []
        var log: [String] = []
    }

    let server: SimulatedFeedServer
    let state: Mutex<State>

    init(_ server: SimulatedFeedServer) {
        self.server = server
        state = Mutex(State(changes: ServerChanges(server)))
    }

    func begin(_ upset: SteppingStep.Upset, stored: [ItemID]) {
        state.withLock { state in
            state.upset = upset
            state.stored = stored
            state.exchanges = []
        }
    }

    /// - Parameter stamp: That of the request.
    func answer(_ request: PageRequest, stamp: Int64) -> RawAnswer {
        let fault = prepare(request)
        if let fault { server.inject(fault) }
        let raw = server.rawAnswer(for: request)
        record(request, stamp)
        return raw
    }

    func page(_ request: PageRequest, stamp: Int64) throws -> Page<SimulatedFeedServer.Item> {
        let fault = prepare(request)
        if let fault { server.inject(fault) }
        defer { record(request, stamp) }
        return try server.page(for: request)
    }

    private func prepare(_ request: PageRequest) -> SimulatedFeedServer.Fault? {
        state.withLock { state in
            let count = state.exchanges.count
            if let change = state.upset.change, state.upset.changeAt == count, let line = state.changes.take(change) {
                state.log.append(line)
            }
            guard let fault = state.upset.fault, state.upset.faultAt == count else { return nil }
            return fault == .firstPage && !isFirstPageTold(from: request, state.stored) ? nil : fault
        }
    }

    /// Whether what is stored tells a first page from the one that was asked for: one that shares nothing with what stands
    /// above the bound looks like any other.
    private func isFirstPageTold(from request: PageRequest, _ stored: [ItemID]) -> Bool {
        guard request.countedFrom == .newest, let below = request.below, let end = stored.firstIndex(of: below) else {
            return false
        }
        return server.ids.prefix(min(request.limit, server.rules.cap)).contains(where: stored[...end].contains)
    }

    private func record(_ request: PageRequest, _ stamp: Int64) {
        guard let answer = server.log.last?.answer else { return }
        state.withLock { state in
            state.exchanges.append(Exchange(stamp: stamp, request: request, answer: answer))
            let place = request.continuation.map { " \($0)" } ?? ""
            state.log.append(
                "  @\(stamp) \(request.summary)\(place) of v\(answer.version): \(answer.summary(answer.ids)), "
                    + "\(answer.follows)")
        }
    }
}
