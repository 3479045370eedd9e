import CSQLite

extension SQLiteError {
    /// An extended result code. Open, so that a code of a newer SQLite breaks no `switch`.
    ///
    /// Compare ``primary`` where the family matters (`error.code.primary == .busy`), the whole code where the exact
    /// cause does.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int32

        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        /// The family of the code: its low byte.
        public var primary: Code { Code(rawValue: rawValue & 0xFF) }
    }
}

extension SQLiteError.Code {
    public static let error = Self(rawValue: SQLITE_ERROR)
    public static let `internal` = Self(rawValue: SQLITE_INTERNAL)
    public static let permission = Self(rawValue: SQLITE_PERM)
    public static let abort = Self(rawValue: SQLITE_ABORT)
    public static let busy = Self(rawValue: SQLITE_BUSY)
    public static let locked = Self(rawValue: SQLITE_LOCKED)
    public static let outOfMemory = Self(rawValue: SQLITE_NOMEM)
    public static let readOnly = Self(rawValue: SQLITE_READONLY)
    public static let interrupted = Self(rawValue: SQLITE_INTERRUPT)
    public static let ioError = Self(rawValue: SQLITE_IOERR)
    public static let corrupt = Self(rawValue: SQLITE_CORRUPT)
    public static let full = Self(rawValue: SQLITE_FULL)
    public static let cannotOpen = Self(rawValue: SQLITE_CANTOPEN)
    public static let `protocol` = Self(rawValue: SQLITE_PROTOCOL)
    public static let schema = Self(rawValue: SQLITE_SCHEMA)
    public static let tooBig = Self(rawValue: SQLITE_TOOBIG)
    public static let constraint = Self(rawValue: SQLITE_CONSTRAINT)
    public static let mismatch = Self(rawValue: SQLITE_MISMATCH)
    public static let misuse = Self(rawValue: SQLITE_MISUSE)
    public static let authorization = Self(rawValue: SQLITE_AUTH)
    public static let range = Self(rawValue: SQLITE_RANGE)
    public static let notADatabase = Self(rawValue: SQLITE_NOTADB)
}

/// Extended codes. C computes them in macros that Swift does not import (<https://www.sqlite.org/rescode.html>).
extension SQLiteError.Code {
    public static let abortRollback = Self(SQLITE_ABORT, 2)
    public static let busyRecovery = Self(SQLITE_BUSY, 1)
    public static let busySnapshot = Self(SQLITE_BUSY, 2)
    public static let cannotOpenTemporaryFolder = Self(SQLITE_CANTOPEN, 1)
    public static let cannotOpenFolder = Self(SQLITE_CANTOPEN, 2)
    public static let cannotOpenFullPath = Self(SQLITE_CANTOPEN, 3)
    public static let cannotOpenSymbolicLink = Self(SQLITE_CANTOPEN, 6)
    public static let constraintCheck = Self(SQLITE_CONSTRAINT, 1)
    public static let constraintForeignKey = Self(SQLITE_CONSTRAINT, 3)
    public static let constraintNotNull = Self(SQLITE_CONSTRAINT, 5)
    public static let constraintPrimaryKey = Self(SQLITE_CONSTRAINT, 6)
    public static let constraintTrigger = Self(SQLITE_CONSTRAINT, 7)
    public static let constraintUnique = Self(SQLITE_CONSTRAINT, 8)
    public static let constraintRowID = Self(SQLITE_CONSTRAINT, 10)
    public static let ioErrorRead = Self(SQLITE_IOERR, 1)
    public static let ioErrorShortRead = Self(SQLITE_IOERR, 2)
    public static let ioErrorWrite = Self(SQLITE_IOERR, 3)
    public static let ioErrorSync = Self(SQLITE_IOERR, 4)
    public static let ioErrorTruncate = Self(SQLITE_IOERR, 6)
    public static let ioErrorSharedMemoryOpen = Self(SQLITE_IOERR, 18)
    public static let ioErrorSharedMemorySize = Self(SQLITE_IOERR, 19)
    public static let ioErrorSharedMemoryLock = Self(SQLITE_IOERR, 20)
    public static let ioErrorSharedMemoryMap = Self(SQLITE_IOERR, 21)
    public static let readOnlyDatabaseMoved = Self(SQLITE_READONLY, 4)
    public static let readOnlyFolder = Self(SQLITE_READONLY, 6)

    private init(_ primary: Int32, _ detail: Int32) {
        self.init(rawValue: primary | detail << 8)
    }
}
