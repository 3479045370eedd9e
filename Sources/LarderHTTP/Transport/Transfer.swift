import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request that a `URLSession` sends, and its answer on its way to whoever takes it.
///
/// The delegate's queue fills it. What comes faster than it is taken is held up where a task can be suspended. On Linux it
/// cannot: `suspend()` there ends the process when the transfer is over meanwhile, and else begins it anew. So what is too much
/// for memory waits in a file.
final class Transfer: Sendable {
    typealias Result = Swift.Result<HTTPIncomingResponse, FetchFailure>

    private struct State {
        var waiter: CheckedContinuation<Result, Never>?
        var outcome: Result?
        var pipe: BodyPipe?
        var isDone = false
        var received = 0
        var announced: Int?
        /// The pipe wants no more for now.
        var isFull = false
        var failure: FetchFailure?
        var overflow = Overflow()
    }

    private let task: URLSessionDataTask
    private let method: String
    private let state = Mutex(State())

    init(_ task: URLSessionDataTask, method: String) {
        self.task = task
        self.method = method
    }

    /// Begins, and returns when the head has come.
    func head() async throws(FetchFailure) -> HTTPIncomingResponse {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = state.withLock { state -> Result? in
                    if state.outcome == nil, !Task.isCancelled {
                        state.waiter = continuation
                        return nil
                    }
                    return state.outcome ?? .failure(Self.cancelled)
                }
                // A task that never began would never end.
                task.resume()
                if let early {
                    task.cancel()
                    continuation.resume(returning: early)
                }
            }
        } onCancel: {
            settle(.failure(Self.cancelled))
            task.cancel()
        }
        return try result.get()
    }

    private func settle(_ outcome: Result) {
        let waiter = state.withLock { state -> CheckedContinuation<Result, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiter.take()
        }
        waiter?.resume(returning: outcome)
    }

    // MARK: What the session delivers

    func take(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            settle(.failure(FetchFailure(.wrongAnswer, "the answer is not HTTP")))
            return task.cancel()
        }
        guard !response.hasUnclearLength else {
            settle(.failure(FetchFailure(.wrongAnswer, "the answer says two things of its length")))
            return task.cancel()
        }
        begin(HTTPResponseHead(response))
    }

    private func begin(_ head: HTTPResponseHead) {
        let pipe = BodyPipe(
            // Held by the pipe as long as there is something to hand over, also after the session has let go of it.
            onRoom: { self.goOn() },
            onAbandon: { self.giveUp() })
        let isFirst = state.withLock { state in
            guard state.pipe == nil else { return false }
            state.pipe = pipe
            state.announced = head.announcedLength(to: method)
            return true
        }
        if isFirst { settle(.success(HTTPIncomingResponse(head: head, body: pipe))) }
    }

    func take(_ data: Data) {
        let isWanted = state.withLock { state -> Bool in
            guard let pipe = state.pipe, !state.isDone else { return false }
            state.received += data.count
            if state.isFull { return state.overflow.take(data, task) }
            switch pipe.offer(data) {
            case .goOn: return true
            case .abandoned: return false
            case .full:
                state.isFull = true
                state.overflow.begin(task)
                return true
            }
        }
        if !isWanted { task.cancel() }
    }

    /// There is room for more.
    private func goOn() {
        state.withLock { state in
            guard let pipe = state.pipe else { return }
            state.isFull = false
            do {
                while !state.isFull, let data = try state.overflow.next() {
                    state.isFull = pipe.offer(data) == .full
                }
            } catch {
                pipe.fail(FetchFailure(.other, "what waited of the answer in a file is lost"))
            }
            if state.isDone, !state.overflow.holdsBytes {
                Self.end(&state)
            } else if !state.isFull {
                state.overflow.end(task)
            }
        }
    }

    /// Nobody wants the rest.
    private func giveUp() {
        state.withLock { state in
            state.pipe = nil
            state.overflow = Overflow()
        }
        task.cancel()
    }

    func end(_ error: (any Error)?) {
        // A redirect that leads nowhere is told of by FoundationNetworking at its end alone, and without its body.
        if error == nil, state.withLock({ $0.outcome == nil }), let response = task.response as? HTTPURLResponse {
            var head = HTTPResponseHead(response)
            head.headers = head.headers.without(["content-length"])
            begin(head)
        }
        let failure = error.map { FetchFailure.wrapping($0) }
        state.withLock { state in
            guard !state.isDone else { return }
            state.isDone = true
            state.failure = failure ?? Self.shortage(state)
            if !state.overflow.holdsBytes { Self.end(&state) }
        }
        settle(.failure(failure ?? FetchFailure(.wrongAnswer, "there is no answer")))
    }

    private static func end(_ state: inout State) {
        guard let pipe = state.pipe.take() else { return }
        if let failure = state.failure { pipe.fail(failure) } else { pipe.finish() }
    }

    private static func shortage(_ state: State) -> FetchFailure? {
        guard let announced = state.announced, announced != state.received else { return nil }
        return FetchFailure(.wrongAnswer, "the body has \(state.received) bytes, and \(announced) were announced")
    }

    private static var cancelled: FetchFailure { FetchFailure(.other, "the request was cancelled") }
}
