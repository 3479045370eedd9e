import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

/// Gives the bytes of a request's body to libcurl, whose thread cannot wait for them.
final class RequestBodyFeed: Sendable {
    enum Step {
        case bytes(Int)
        /// None are there yet: `onNews` will be called.
        case wait
        case end
        case broken(FetchFailure)
    }

    private struct State {
        var part = Data()
        var end: Result<Void, FetchFailure>?
        var isFetching = false
        /// Bytes given out so far.
        var given = 0
    }

    private let body: HTTPRequestBody
    private let onNews: @Sendable () -> Void
    private let state = Mutex(State())

    init(_ body: HTTPRequestBody, onNews: @escaping @Sendable () -> Void) {
        self.body = body
        self.onNews = onNews
    }

    var length: Int? { body.length }

    /// Whether all of it has been given out.
    var isDone: Bool {
        state.withLock { state in
            if let length { return state.given == length }
            guard case .success = state.end else { return false }
            return state.part.isEmpty
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Step {
        let (step, fetches) = state.withLock { state -> (Step, Bool) in
            if !state.part.isEmpty {
                let count = state.part.copyBytes(to: buffer)
                state.part = state.part.dropFirst(count)
                state.given += count
                if let length, state.given > length { return (.broken(Self.wrongLength), false) }
                return (.bytes(count), false)
            }
            switch state.end {
            case .success: return (length == nil || length == state.given ? .end : .broken(Self.wrongLength), false)
            case .failure(let failure): return (.broken(failure), false)
            case nil:
                defer { state.isFetching = true }
                return (.wait, !state.isFetching)
            }
        }
        if fetches { Task { await fetch() } }
        return step
    }

    /// No more will be asked for.
    func stop() {
        body.pipe.abandon()
    }

    private func fetch() async {
        let next: Result<Data?, FetchFailure>
        do throws(FetchFailure) {
            next = .success(try await body.pipe.next())
        } catch {
            next = .failure(FetchFailure(.other, "the body of the request broke off"))
        }
        state.withLock { state in
            state.isFetching = false
            switch next {
            case .success(let part?): state.part = part
            case .success(nil): state.end = .success(())
            case .failure(let failure): state.end = .failure(failure)
            }
        }
        onNews()
    }

    private static let wrongLength = FetchFailure(.other, "the body of the request is not as long as was said")
}
