public import Foundation
import CSQLite

/// What SQLite, or a rule of this layer, objected to: the facts, and where known the next step.
///
/// Values bound through ``SQL`` are kept for debugging but are private: neither ``description`` nor reflection shows
/// them. Ask for ``descriptionWithArguments`` where it is safe to print user data. The text of the SQL itself is shown,
/// so values pasted into it with `\(raw:)` are not protected. Values bound by hand to a ``Statement`` are not kept.
public struct SQLiteError: Error, Sendable {
    /// What was being done when the error arose.
    public enum Operation: String, Sendable, Hashable {
        case open, configure, prepare, bind, step, column, begin, commit, rollback, savepoint, checkpoint
    }

    /// SQLite's extended result code. See <https://www.sqlite.org/rescode.html>.
    public let code: Code
    public let operation: Operation
    /// SQLite's own words, or this layer's for a rule of its own.
    public let message: String
    /// The statement at fault, or nil when none was involved.
    public let sql: String?
    /// What the system said of a failed call on a file, as `errno` has it; 0 where it said nothing.
    public private(set) var systemError: Int32 = 0
    let arguments: [SQLValue]

    package init(_ code: Code, _ operation: Operation, _ message: String, sql: String? = nil) {
        self.init(code, operation, message, sql: sql, arguments: [])
    }

    init(_ code: Code, _ operation: Operation, _ message: String, sql: String?, arguments: [SQLValue]) {
        self.code = code
        self.operation = operation
        self.message = message
        self.sql = sql
        self.arguments = arguments
    }

    /// The last error of a connection. Must be made before anything else is called on that connection.
    @inline(never)
    init(lastErrorOf database: OpaquePointer?, result: Int32, _ operation: Operation, sql: String?) {
        let latest = errno
        let extended = sqlite3_extended_errcode(database)
        // The connection's own code is finer than the result only when both speak of the same failure.
        let isSame = extended & 0xFF == result & 0xFF
        let text = isSame ? sqlite3_errmsg(database) : sqlite3_errstr(result)
        self.init(
            Code(rawValue: isSame ? extended : result), operation, text.map { String(cString: $0) } ?? "unknown",
            sql: sql)
        if isSame, [SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN].contains(result & 0xFF) {
            systemError = sqlite3_system_errno(database)
            // SQLite does not keep it where a commit fails; nothing has been called since then.
            if Self.errorsOfFullDisk.contains(latest) { systemError = latest }
        }
    }

    /// The same error with the values that were bound when it arose.
    func with(arguments: [SQLValue]) -> SQLiteError {
        var error = SQLiteError(code, operation, message, sql: sql, arguments: arguments)
        error.systemError = systemError
        return error
    }

    /// The same error, said of a larger operation that the failed call was a part of.
    func during(_ operation: Operation, _ detail: String) -> SQLiteError {
        var error = SQLiteError(code, operation, "\(message) (\(detail))", sql: sql, arguments: arguments)
        error.systemError = systemError
        return error
    }

    /// Whether it comes of a disk without room, or of a limit on files that is reached, which SQLite takes for an error of the
    /// disk.
    package var isOfFullDisk: Bool {
        code.primary == .full || code == .ioErrorSharedMemorySize
            || code.primary == .ioError && Self.errorsOfFullDisk.contains(systemError)
    }

    private static let errorsOfFullDisk = [ENOSPC, EDQUOT, EFBIG]
}

extension SQLiteError: CustomStringConvertible, CustomReflectable {
    /// One line without any bound value: safe for logs.
    public var description: String {
        var text = "SQLite error \(code.rawValue) in \(operation.rawValue): \(message)"
        if let sql { text += " [\(sql)]" }
        if let hint { text += ". \(hint)" }
        return text
    }

    /// ``description`` and the bound values: private data, for a developer's eyes.
    public var descriptionWithArguments: String {
        arguments.isEmpty
            ? description : description + " with " + arguments.map(\.debugDescription).joined(separator: ", ")
    }

    /// Leaves the bound values out, so that `dump` and test failures do not print them.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["code": code.rawValue, "operation": operation, "message": message, "sql": sql as Any],
            displayStyle: .struct)
    }
}

extension SQLiteError: LocalizedError {
    public var errorDescription: String? { description }
    public var recoverySuggestion: String? { hint }
}
