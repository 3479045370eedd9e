public import LarderKit
import Synchronization

public import struct Foundation.Data

/// The bytes of a body on their way from one that produces them to one that takes them, a bounded number at a time.
///
/// The producer may be a callback that must not wait (``offer(_:)``) or a task (``write(_:)``). There is one producer and one
/// consumer at a time.
public final class BodyPipe: Sendable {
    /// What became of bytes that were offered.
    public enum Offer: Sendable, Hashable {
        /// Taken; there is room for more.
        case goOn
        /// Taken; no more are to be offered until `onRoom` is called.
        case full
        /// Nobody wants them, or any more of them.
        case abandoned
    }

    private struct State {
        var chunks: [Data] = []
        var first = 0
        var count = 0
        var end: Result<Void, FetchFailure>?
        var isAbandoned = false
        /// The producer was told that there is no room.
        var isFull = false
        var consumer: CheckedContinuation<Data?, any Error>?
        var producer: CheckedContinuation<Bool, Never>?

        mutating func take() -> Data? {
            guard first < chunks.count else { return nil }
            let data = chunks[first]
            chunks[first] = Data()
            first += 1
            if first == chunks.count {
                chunks.removeAll(keepingCapacity: true)
                first = 0
            }
            count -= data.count
            return data
        }
    }

    private let limit: Int
    private let onRoom: (@Sendable () -> Void)?
    private let onAbandon: (@Sendable () -> Void)?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: How many bytes may wait, at least.
    ///   - onRoom: Called, on any thread, when bytes may be offered again after ``Offer/full``.
    ///   - onAbandon: Called once, on any thread, when nobody wants the body any more before its end.
    public init(
        limit: Int = 256 << 10, onRoom: (@Sendable () -> Void)? = nil, onAbandon: (@Sendable () -> Void)? = nil
    ) {
        self.limit = limit
        self.onRoom = onRoom
        self.onAbandon = onAbandon
    }

    /// A body that is there already, whole.
    public convenience init(_ data: Data) {
        self.init(limit: data.count)
        offer(data)
        finish()
    }

    // MARK: The producer's side

    /// Takes bytes, all of them, unless nobody wants them; never waits.
    @discardableResult
    public func offer(_ data: Data) -> Offer {
        guard !data.isEmpty else { return state.withLock { $0.isAbandoned ? .abandoned : .goOn } }
        let (offer, consumer) = state.withLock { state -> (Offer, CheckedContinuation<Data?, any Error>?) in
            if state.isAbandoned || state.end != nil { return (.abandoned, nil) }
            if let consumer = state.consumer.take() { return (.goOn, consumer) }
            state.chunks.append(data)
            state.count += data.count
            state.isFull = state.count >= limit
            return (state.isFull ? .full : .goOn, nil)
        }
        consumer?.resume(returning: data)
        return offer
    }

    /// Takes bytes, and returns when there is room for more.
    ///
    /// - Returns: Whether anybody wants more.
    public func write(_ data: Data) async -> Bool {
        switch offer(data) {
        case .goOn: return true
        case .abandoned: return false
        case .full: break
        }
        return await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if state.isAbandoned { return false }
                guard state.isFull else { return true }
                state.producer = continuation
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// The body is whole.
    public func finish() { end(.success(())) }

    /// No more comes, though more was due. What has come is handed out first.
    public func fail(_ failure: FetchFailure) { end(.failure(failure)) }

    private func end(_ result: Result<Void, FetchFailure>) {
        let consumer = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            guard state.end == nil, !state.isAbandoned else { return nil }
            state.end = result
            return state.consumer.take()
        }
        switch result {
        case .success: consumer?.resume(returning: nil)
        case .failure(let failure): consumer?.resume(throwing: failure)
        }
    }

    // MARK: The consumer's side

    /// The next bytes, or `nil` at the end of a whole body. Abandons the body when the task is cancelled.
    ///
    /// - Throws: Where the body has ended before its end.
    public func next() async throws(FetchFailure) -> Data? {
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in take(continuation) }
            } onCancel: {
                abandon()
            }
        } catch {
            throw error as? FetchFailure ?? FetchFailure(.other, "the body was abandoned")
        }
    }

    private func take(_ continuation: CheckedContinuation<Data?, any Error>) {
        let (result, producer, hasRoom) = state.withLock {
            state -> (Result<Data?, any Error>?, CheckedContinuation<Bool, Never>?, Bool) in
            if state.isAbandoned { return (.failure(Abandoned()), nil, false) }
            if let data = state.take() {
                let hasRoom = state.isFull && state.count < limit
                if hasRoom { state.isFull = false }
                return (.success(data), hasRoom ? state.producer.take() : nil, hasRoom)
            }
            if let end = state.end { return (end.map { nil }.mapError { $0 }, nil, false) }
            precondition(state.consumer == nil, "a body has one consumer at a time")
            state.consumer = continuation
            return (nil, nil, false)
        }
        if let result { continuation.resume(with: result) }
        if let producer { producer.resume(returning: true) } else if hasRoom { onRoom?() }
    }

    /// Nobody wants the rest.
    public func abandon() {
        let (consumer, producer, isNew) = state.withLock {
            state -> (CheckedContinuation<Data?, any Error>?, CheckedContinuation<Bool, Never>?, Bool) in
            guard !state.isAbandoned else { return (nil, nil, false) }
            state.isAbandoned = true
            state.chunks = []
            return (state.consumer.take(), state.producer.take(), state.end == nil)
        }
        consumer?.resume(throwing: Abandoned())
        producer?.resume(returning: false)
        if isNew { onAbandon?() }
    }

    private struct Abandoned: Error {}
}

extension BodyPipe {
    /// The whole body.
    ///
    /// - Parameter limit: In bytes; a larger body fails as `FetchFailure.Kind.wrongAnswer`.
    public func collect(upTo limit: Int) async throws(FetchFailure) -> Data {
        var whole = Data()
        while let data = try await next() {
            guard whole.count + data.count <= limit else {
                abandon()
                throw FetchFailure(.wrongAnswer, "the body is larger than \(limit) bytes")
            }
            whole.append(data)
        }
        return whole
    }
}
