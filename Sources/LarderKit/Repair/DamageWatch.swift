import Dispatch
import Foundation
import LarderSQLite
import Synchronization

/// Has a cache repaired, in the background, when something in it turns out to be damaged.
final class DamageWatch: Sendable {
    private struct State {
        var isAtWork = false
        /// Not before this is it tried again: what a repair does not mend is met again at once.
        var notBefore = Date.distantPast
        /// Nothing is begun, and what is under way ends.
        var isSuspended = false
        /// Something is damaged, and is not seen to before the suspension is over.
        var isDue = false
        var isClosed = false

        var mayGoOn: Bool { !isSuspended && !isClosed }

        /// A clock that was set back makes no pause longer.
        func isPause(_ now: Date) -> Bool { now < notBefore && now.addingTimeInterval(DamageWatch.pause) >= notBefore }
    }

    private let cache: CacheFiles?
    private let environment: LarderEnvironment
    private let changes: ChangeHub
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "larder.damage")

    fileprivate static let pause: TimeInterval = 60
    /// How long the look after an unclean end may take.
    private static let budget = Duration.seconds(1)

    /// - Parameter folder: `nil` for a cache that is not to be repaired.
    init(folder: URL?, environment: LarderEnvironment, changes: ChangeHub) {
        cache = folder.map { CacheFiles(folder: $0, disk: environment.disk) }
        self.environment = environment
        self.changes = changes
    }

    /// Takes note of what an operation threw.
    func met(_ error: any Error) {
        let isDamage =
            switch error {
            case let error as SQLiteError: error.isOfDamage || error.code.primary == .mismatch
            case let error as StorageError: error.kind == .corrupt
            default: false
            }
        if isDamage { noticed() }
    }

    /// Something is damaged.
    func noticed() {
        guard let cache else { return }
        let now = environment.clock.now()
        let begins = state.withLock { state in
            guard !state.isAtWork, !state.isClosed, !state.isPause(now) else { return false }
            guard !state.isSuspended else {
                state.isDue = true
                return false
            }
            state.isAtWork = true
            return true
        }
        guard begins else { return }
        queue.async {
            let isOver = self.repair(cache)
            self.state.withLock { state in
                state.isAtWork = false
                if isOver { state.notBefore = self.environment.clock.now() + Self.pause }
            }
            // Now, or when the suspension is over.
            if !isOver { self.noticed() }
        }
    }

    /// - Returns: Whether it came to an end, be it a failure, and was not stopped.
    private func repair(_ cache: CacheFiles) -> Bool {
        let progress = RepairProgress(mayGoOn: { [weak self] in self?.mayGoOn ?? false })
        do throws(StorageError) {
            let report = try Repairer(cache: cache, progress: progress).run()
            guard report.outcome != .sound else { return true }
            environment.log.note(report.event)
            for topic in changes.topics { changes.post(topic) }
        } catch {
            // Also where it has stopped waiting for somebody.
            guard !error.isOfCancellation, mayGoOn else { return false }
            environment.log.note(.repairFailed(error.kind))
        }
        return true
    }

    private var mayGoOn: Bool { state.withLock { $0.mayGoOn } }

    /// Looks at the structure of a cache whose last user did not close it, for as long as that may take.
    func lookAfterUncleanEnd() {
        guard let cache else { return }
        queue.async {
            let end = ContinuousClock.now + Self.budget
            let progress = RepairProgress(mayGoOn: { [weak self] in
                ContinuousClock.now < end && self?.mayGoOn ?? false
            })
            // Where it cannot be looked at now, the first touch tells.
            let report = try? Verifier(cache: cache, isQuick: true, progress: progress).run()
            if let report, !report.isSound { self.noticed() }
        }
    }

    /// Waits for what is under way.
    func settle() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Stops what is under way, which is begun anew later, and begins nothing until ``resume()``. When it returns, no lock is held.
    func suspend() async {
        state.withLock { $0.isSuspended = true }
        await settle()
    }

    func resume() {
        let isDue = state.withLock { state in
            defer { (state.isSuspended, state.isDue) = (false, false) }
            return state.isDue
        }
        if isDue { noticed() }
    }

    func close() { state.withLock { $0.isClosed = true } }
}

extension RepairReport {
    /// The same without anything private.
    var event: LarderEvent {
        .repaired(kept: kept.values.reduce(0, +), lost: lost.values.reduce(0, +), gaps: gaps)
    }
}
