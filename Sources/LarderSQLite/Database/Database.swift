import Foundation

/// One SQLite database: a writer, and readers that never wait for it.
///
/// ```swift
/// let database = try Database(.file("/tmp/notes.sqlite"))
/// try await database.write { connection in
///     try connection.execute("CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
///     try connection.execute("INSERT INTO note (title) VALUES (\(title))")
/// }
/// let titles = try database.read { connection in
///     try connection.query("SELECT title FROM note") { row in try row.text(0) }
/// }
/// ```
///
/// A file is in WAL mode (<https://www.sqlite.org/wal.html>): readers see the last commit, also while a write is under
/// way. Writes run one after the other, in the order they were asked for, on a thread of their own.
///
/// A database in memory has a single connection under a lock: there, a read waits for the write under way, and a call
/// from inside another throws `.misuse`.
///
/// Closes when its last reference and operation are gone; call ``close()`` to know when.
public final class Database: Sendable {
    public let location: Location
    public let configuration: Configuration
    let writer: Writer
    /// Nil in memory.
    let readers: ReaderPool?
    let marks: CommitMarks
    let gate = SuspensionGate()

    /// Opens the database, making the file (0600) but no folder. Blocks for the few milliseconds this takes, or up to
    /// the busy limit while another process sets the same file up.
    ///
    /// - Throws: ``SQLiteError`` with a hint: `.cannotOpen` for a missing folder or a folder in the file's place,
    ///   `.readOnly` where writing is not permitted, `.notADatabase` and `.corrupt` for what is not sound (the file is
    ///   left as it was); and what ``Configuration/beforeSetup`` and ``Configuration/onOpen`` throw.
    public init(_ location: Location, configuration: Configuration = Configuration()) throws {
        let location = location.absolute
        self.location = location
        self.configuration = configuration
        writer = Writer(try ConnectionHandle.openWriter(location, configuration: configuration))
        marks = CommitMarks(location, configuration: configuration)
        switch location {
        case .memory: readers = nil
        case .file(let path): readers = ReaderPool(path: path, configuration: configuration)
        }
    }

    /// Ends the database: writes asked for so far are completed, which this waits for, and later calls throw `.misuse`.
    /// Reads under way keep their connection to their end. A suspension ends.
    /// Calling it again does nothing.
    ///
    /// The last connection to close moves the write-ahead log into the file and removes it.
    public func close() {
        gate.end()
        readers?.close()
        marks.close()
        writer.close()
    }
}

extension Location {
    /// Absolute, because the working folder may change while readers are opened, and because SQLite takes some relative
    /// paths (`:memory:`, an empty one, `file:…`) for something else.
    fileprivate var absolute: Location {
        guard case .file(let path) = self, !path.hasPrefix("/") else { return self }
        return .file(FileManager.default.currentDirectoryPath + "/" + path)
    }
}
