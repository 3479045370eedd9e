import CSQLite
import Foundation

/// A database that is one file and nothing else: no write-ahead log beside it, no locks, nobody else at work on it.
///
/// For files that are handed on: made in one piece, and read where nothing may be written.
package enum DetachedFile {
    /// Makes a new file (0600) in one transaction. Its bytes are on the disk when this returns.
    ///
    /// What is left of the file when this throws is to be removed.
    package static func write<R>(
        _ path: String, configuration: Configuration = Configuration(), _ body: (borrowing Connection) throws -> R
    ) throws -> R {
        try PrivateFile.createIfMissing(path)
        let handle = try ConnectionHandle.open(path, flags: 0, configuration: configuration)
        try handle.configuringErrors(path) {
            // There is nothing to go back to: a file that is not complete is none.
            try handle.executeScript(
                handle.commonPragmas + """
                    PRAGMA page_size = \(configuration.pageSize);
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA journal_mode = OFF;
                    PRAGMA synchronous = FULL;
                    """)
        }
        return try handle.perform(.immediate, isReading: false, cancellation: nil, body)
    }

    /// Reads a file that nobody changes meanwhile, and writes nothing, nor beside it: also one on a read-only disk
    /// (<https://www.sqlite.org/uri.html#uriimmutable>).
    package static func read<R>(_ path: String, _ body: (borrowing Connection) throws -> R) throws -> R {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw SQLiteError(.cannotOpen, .open, "the path is not absolute, or holds a NUL character")
        }
        let handle = try ConnectionHandle.open(
            "file:\(escaped(path))?immutable=1", flags: SQLITE_OPEN_URI, access: SQLITE_OPEN_READONLY,
            configuration: Configuration())
        try handle.configuringErrors(path) {
            try handle.executeScript(handle.commonPragmas + "PRAGMA query_only = 1")
        }
        return try handle.perform(nil, isReading: true, cancellation: nil, body)
    }

    /// Whatever might mean something in a URI is escaped.
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return path.utf8.reduce(into: "") { text, byte in
            switch byte {
            case 0x2D...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
