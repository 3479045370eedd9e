import Dispatch

extension Database {
    /// A number that is another one than before if, and only if, a connection other than this database's writer has committed
    /// since: another process, as long as this one writes by its writer alone.
    ///
    /// Waits, blocking the thread, for the writes asked for so far. In memory it never changes.
    package func dataVersion() throws -> Int64 {
        try writer.refuseReentry()
        return try writer.queue.sync {
            try writer.use { handle in
                try handle.perform(nil, isReading: true, cancellation: nil) { connection in
                    try connection.first("PRAGMA data_version") { row in try row.int64(0) } ?? 0
                }
            }
        }
    }
}
