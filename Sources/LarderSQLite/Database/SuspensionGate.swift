import Foundation
import Synchronization

/// Where operations that hold locks of the file pass, one after the other or beside one another, and wait while it is shut.
package final class SuspensionGate: Sendable {
    private struct State {
        var isShut = false
        var isOver = false
        var inside: [ObjectIdentifier: Cancellation] = [:]
        /// Those inside that nobody can stop.
        var others = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        var isEmpty: Bool { inside.isEmpty && others == 0 }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            guard isEmpty || !isShut else { return [] }
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Mutex(State())
    private let condition = NSCondition()

    package init() {}

    /// Waits, blocking the thread, until the gate is open, and goes in.
    ///
    /// - Parameter cancellation: What stops the operation, to be told when the gate is shut.
    func enter(_ cancellation: Cancellation? = nil) {
        while true {
            let isIn = state.withLock { state in
                guard !state.isShut || state.isOver else { return false }
                if let cancellation {
                    state.inside[ObjectIdentifier(cancellation)] = cancellation
                } else {
                    state.others += 1
                }
                return true
            }
            if isIn { return }
            condition.lock()
            while isShut { condition.wait() }
            condition.unlock()
        }
    }

    func leave(_ cancellation: Cancellation? = nil) {
        let waiting = state.withLock { state in
            if let cancellation {
                state.inside[ObjectIdentifier(cancellation)] = nil
            } else {
                state.others -= 1
            }
            return state.takeWaiting()
        }
        for task in waiting { task.resume() }
    }

    /// Shuts the gate, asks those inside to stop, and waits until nobody is. Ends early when it is opened meanwhile.
    package func shut() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard !state.isOver else { return true }
                state.isShut = true
                for operation in state.inside.values { operation.interrupt() }
                guard !state.isEmpty else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    package func open() { open(isOver: false) }

    /// Opens it for good.
    package func end() { open(isOver: true) }

    private func open(isOver: Bool) {
        let waiting = state.withLock { state in
            state.isOver = state.isOver || isOver
            state.isShut = false
            return state.takeWaiting()
        }
        condition.lock()
        condition.broadcast()
        condition.unlock()
        for task in waiting { task.resume() }
    }

    private var isShut: Bool { state.withLock { $0.isShut && !$0.isOver } }
}

extension Database {
    /// Keeps this database from holding locks of its file: what a system asks for that suspends the process
    /// (<https://developer.apple.com/documentation/xcode/sigkill>, 0xDEAD10CC).
    ///
    /// When it returns, no write, no checkpoint and no ``scan(_:)`` is under way, and none starts before ``resume()``. A write in
    /// a transaction that has begun is completed; one that waits for another process's lock waits for the end of the suspension
    /// instead, as do those asked for from now on, and can be cancelled meanwhile. A scan is interrupted and begun anew later.
    /// ``read(_:)`` and ``withReader(_:)``, which are short, are not kept from reading. Calling it again does nothing more.
    public nonisolated(nonsending) func suspend() async { await gate.shut() }

    /// Lets what waits go on. Does nothing where it is not suspended.
    public func resume() { gate.open() }

    /// Lets what waits go on, and is not suspended any more: before the last writes.
    package func endSuspension() { gate.end() }
}
