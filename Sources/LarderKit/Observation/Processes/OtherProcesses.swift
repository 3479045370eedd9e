import Foundation
import LarderSQLite
import Synchronization

/// Finds out when another process has committed something to the cache, while anybody follows anything of it.
///
/// Costs nothing else: nothing is watched and nothing is looked at.
final class OtherProcesses: Sendable {
    private struct State {
        var watch: FolderWatch?
        var isClosed = false
    }

    private let folder: URL?
    private let database: Database
    private let changes: ChangeHub
    private let state = Mutex(State())

    /// - Parameter folder: `nil` in memory, where there is no other process.
    init(folder: URL?, database: Database, changes: ChangeHub) {
        self.folder = folder
        self.database = database
        self.changes = changes
    }

    /// To be called when anybody has begun to follow, before the first look, or has ended: of what another process commits
    /// after the first call all who follow are told.
    func attend() {
        guard let folder else { return }
        let past = state.withLock { state -> FolderWatch? in
            // Asked here, with nobody else: whoever comes last is right.
            guard changes.isAttended, !state.isClosed else {
                defer { state.watch = nil }
                return state.watch
            }
            guard let watch = state.watch else {
                let look = ProcessLook(database, changes)
                state.watch = FolderWatch(folder) { look.look() }
                return nil
            }
            // Who listens to everything needs to know what there is to begin with.
            if changes.journal.isHeard { watch.wake() }
            return nil
        }
        withExtendedLifetime(past) {}
    }

    var isWatching: Bool { state.withLock { $0.watch != nil } }

    /// Ends it for good.
    func close() {
        let past = state.withLock { state in
            state.isClosed = true
            defer { state.watch = nil }
            return state.watch
        }
        withExtendedLifetime(past) {}
    }
}
