extension Database {
    /// How far a checkpoint goes (<https://www.sqlite.org/pragma.html#pragma_wal_checkpoint>).
    public enum CheckpointMode: String, Sendable, Hashable {
        /// Moves what it can without waiting for anybody.
        case passive = "PASSIVE"
        /// Waits for readers and moves everything.
        case full = "FULL"
        /// As full, and lets the next write start the log anew.
        case restart = "RESTART"
        /// As restart, and cuts the log file to nothing.
        case truncate = "TRUNCATE"
    }

    /// What a checkpoint found and did, in pages of the write-ahead log; both are -1 in memory, where there is none.
    public struct CheckpointResult: Sendable, Hashable {
        public let logPages: Int
        public let movedPages: Int
    }

    /// Moves the write-ahead log into the file, on the writer's thread.
    ///
    /// - Parameters:
    ///   - mode: How far it goes.
    ///   - isPatient: Whether to wait for readers, up to the busy limit; other writes wait behind that.
    /// - Throws: ``SQLiteError`` `.busy` when a mode other than passive meets a reader for longer than the busy limit.
    @discardableResult
    public nonisolated(nonsending) func checkpoint(
        _ mode: CheckpointMode = .passive, isPatient: Bool = true
    ) async throws -> CheckpointResult {
        try await withWriter { connection in
            try connection.handle.checkpoint(mode, patience: isPatient ? nil : .zero)
        }
    }
}

extension ConnectionHandle {
    /// - Parameter patience: How long to wait for others, if not up to the busy limit.
    @discardableResult
    func checkpoint(_ mode: Database.CheckpointMode, patience: Duration?) throws -> Database.CheckpointResult {
        self.patience = patience
        defer { self.patience = nil }
        let sql = "PRAGMA wal_checkpoint(\(mode.rawValue))"
        let prepared = try take(sql)
        defer { giveBack(prepared) }
        let statement = Statement(prepared.pointer, on: self)
        _ = try statement.step()
        let result = Database.CheckpointResult(
            logPages: try statement.row.int(1), movedPages: try statement.row.int(2))
        guard try !statement.row.bool(0) || mode == .passive else {
            throw SQLiteError(.busy, .checkpoint, "readers or another writer kept the log in use", sql: sql)
        }
        if mode == .restart || mode == .truncate { logKeeping.wasEmptied() }
        return result
    }
}
