import LarderKit
import Synchronization

import struct Foundation.Data

/// A body on its way to several takers, each at its own pace.
///
/// What has been stored already is read from there by those who are behind, so that nobody waits for a slow one. What is not
/// stored is held in memory, a bounded number of bytes: there the slowest taker sets the pace.
final class BodySpool: Sendable {
    private struct State {
        /// The bytes in memory, and where the first of them stands in the body.
        var pieces: [Data] = []
        var start = 0
        var end = 0
        /// How many bytes can be read from where they are stored.
        var stored = 0
        var place: StoredBody?
        /// Bytes are being stored: there is no need to wait for takers.
        var isStoring: Bool
        var result: Result<Void, FetchFailure>?
        var positions: [Int: Int] = [:]
        var lastTaker = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var producer: CheckedContinuation<Void, Never>?
        /// Takers may still come.
        var isOpen = true

        /// Lets go of the bytes that nobody needs in memory any more.
        mutating func trim() {
            // Who comes later begins with what is stored, and goes on with what is in memory.
            let mayCome = isOpen && (isStoring || result != nil)
            let needed = mayCome ? start : positions.values.min() ?? (isOpen ? start : end)
            let past = max(needed, stored)
            var count = 0
            while count < pieces.count, start + pieces[count].count <= past {
                start += pieces[count].count
                count += 1
            }
            pieces.removeFirst(count)
        }

        /// No more is to be added before a taker has taken some.
        var mustWait: Bool {
            !isStoring && end - start >= BodySpool.limit && (isOpen || !positions.isEmpty)
        }
    }

    /// How many bytes are held for the slowest taker.
    private static let limit = 512 << 10

    private let shelf: Shelf
    private let state: Mutex<State>
    private let leftovers = Mutex<BodyStoring?>(nil)

    init(_ shelf: Shelf, isStoring: Bool) {
        self.shelf = shelf
        state = Mutex(State(isStoring: isStoring))
    }

    deinit {
        guard let leftovers = leftovers.withLock({ $0 }) else { return }
        Task { await leftovers.undo() }
    }

    // MARK: The producer

    /// Adds bytes, and returns when there is room for more.
    ///
    /// - Returns: Whether anybody wants more, or it is being stored.
    func append(_ data: Data) async -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.pieces.append(data)
            state.end += data.count
            state.trim()
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.resume() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFree = state.withLock { state -> Bool in
                    guard state.mustWait, !Task.isCancelled else { return true }
                    state.producer = continuation
                    return false
                }
                if isFree { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.producer.take() }?.resume()
        }
        return state.withLock { $0.isStoring || !$0.positions.isEmpty || $0.isOpen } && !Task.isCancelled
    }

    /// The first `count` bytes can be read from `place`.
    func stored(_ count: Int, in place: StoredBody) {
        state.withLock { state in
            state.stored = count
            state.place = place
            state.trim()
        }
    }

    /// It is not to be stored after all: takers set the pace from here on. What is on the disk of it goes with the last of them.
    func storeNoMore(_ storing: BodyStoring) {
        state.withLock { state in
            state.isStoring = false
            state.isOpen = state.isOpen && state.start == 0
        }
        leftovers.withLock { $0 = storing }
    }

    func finish(_ result: Result<Void, FetchFailure>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.result = result
            state.isStoring = false
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiter in waiting { waiter.resume() }
    }

    /// Nobody wants it now. Unless it is being stored, nobody will.
    func wasDeserted() {
        let producer = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isStoring, state.result == nil else { return nil }
            state.isOpen = false
            state.trim()
            return state.mustWait ? nil : state.producer.take()
        }
        producer?.resume()
    }

    /// All of it has come.
    var isWhole: Bool {
        state.withLock { state in
            if case .success? = state.result { true } else { false }
        }
    }

    // MARK: Takers

    /// One more who takes the body from its beginning; `nil` when that is not to be had any more.
    func taker() -> (any BodySource)? {
        let id = state.withLock { state -> Int? in
            // What is stored in one piece has never been read from its place.
            guard state.isOpen, state.start == 0 || state.place != nil && state.start <= state.stored else {
                return nil
            }
            state.lastTaker += 1
            state.positions[state.lastTaker] = 0
            return state.lastTaker
        }
        return id.map { Taker(spool: self, id: $0) }
    }

    private enum Step {
        case piece(Data)
        case stored(StoredBody, Range<Int>)
        case wait
        case end(Result<Void, FetchFailure>)
    }

    private func next(_ id: Int) async throws(FetchFailure) -> Data? {
        while true {
            let (step, producer) = state.withLock { state -> (Step, CheckedContinuation<Void, Never>?) in
                guard let position = state.positions[id] else { return (.end(.success(())), nil) }
                if position < state.start {
                    guard let place = state.place else { return (.end(.failure(Self.lost)), nil) }
                    return (.stored(place, position..<min(state.start, state.stored)), nil)
                }
                guard position < state.end else {
                    if let result = state.result { return (.end(result), nil) }
                    return (.wait, nil)
                }
                var offset = state.start
                for piece in state.pieces {
                    if position < offset + piece.count {
                        let data = piece.dropFirst(position - offset)
                        state.positions[id] = offset + piece.count
                        state.trim()
                        return (.piece(data), state.mustWait ? nil : state.producer.take())
                    }
                    offset += piece.count
                }
                return (.end(.failure(Self.lost)), nil)
            }
            producer?.resume()
            switch step {
            case .piece(let data):
                return data
            case .stored(let place, let range):
                let data = try StoredBodyReader.piece(of: place, range, shelf)
                state.withLock { state in
                    if let position = state.positions[id] { state.positions[id] = position + data.count }
                }
                return data
            case .end(let result):
                try result.get()
                return nil
            case .wait:
                try await wait(id)
            }
        }
    }

    private func wait(_ id: Int) async throws(FetchFailure) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state -> Bool in
                    guard let position = state.positions[id], position == state.end, state.result == nil else {
                        return true
                    }
                    state.waiting[id] = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            leave(id)
        }
        if Task.isCancelled { throw FetchFailure(.other, "the request was cancelled") }
    }

    private func leave(_ id: Int) {
        let (waiter, producer) = state.withLock { state in
            state.positions[id] = nil
            state.trim()
            return (state.waiting.removeValue(forKey: id), state.mustWait ? nil : state.producer.take())
        }
        waiter?.resume()
        producer?.resume()
    }

    private static var lost: FetchFailure { FetchFailure(.other, "the beginning of the body is gone") }

    /// Leaves by itself when it is let go.
    private final class Taker: BodySource {
        private let spool: BodySpool
        private let id: Int

        init(spool: BodySpool, id: Int) {
            self.spool = spool
            self.id = id
        }

        deinit { spool.leave(id) }

        func next() async throws(FetchFailure) -> Data? { try await spool.next(id) }

        func abandon() { spool.leave(id) }
    }
}
