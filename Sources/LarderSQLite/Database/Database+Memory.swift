import CSQLite
import Dispatch

extension Database {
    /// Has the connections that nobody uses let go of the pages they keep in memory; they read them again when they need them
    /// (<https://www.sqlite.org/c3ref/db_release_memory.html>). Returns at once.
    public func releaseMemory() {
        readers?.releaseMemory()
        writer.queue.async { [writer] in
            // A database that has been closed keeps nothing.
            try? writer.use { handle in _ = sqlite3_db_release_memory(handle.database) }
        }
    }
}

extension ReaderPool {
    /// Those in use are let be: they belong to whoever took them.
    fileprivate func releaseMemory() {
        var handles: [ConnectionHandle] = []
        while let handle = takeIdle() { handles.append(handle) }
        for handle in handles {
            sqlite3_db_release_memory(handle.database)
            giveBack(handle)
        }
    }
}
