extension SQLiteError {
    /// The next step for the failures people meet most, or nil.
    public var hint: String? {
        switch code.primary {
        case .busy:
            "Another connection kept its lock beyond the busy limit: keep write transactions short, or raise the limit"
        case .full:
            "The disk is full, and deleting rows needs space as well: free space outside the database first"
        case .corrupt:
            "The file is damaged: see PRAGMA quick_check, then restore it or start with a new file"
        case .notADatabase:
            "The file is not an SQLite database, or is encrypted, and was left as it was: check the path"
        case .readOnly where operation == .open || code != .readOnly:
            "Check that the file and its folder may be written"
        case .readOnly:
            "Reads cannot write: use Database.write"
        case .ioError where code == .ioErrorSharedMemorySize || code == .ioErrorSharedMemoryOpen:
            "The index beside the database could not be made: is the disk full? Free some space; nothing stored is lost"
        case .ioError where code == .ioErrorSharedMemoryMap || code == .ioErrorSharedMemoryLock:
            "The index beside the database cannot be shared: is the folder on a network drive? Nothing stored is lost"
        case .cannotOpen where code == .cannotOpenFolder:
            "The path names a folder: check it"
        case .cannotOpen where code == .cannotOpenTemporaryFolder:
            "Temporary files cannot be made: check that the system's temporary folder may be written"
        case .cannotOpen:
            "Check that the folder exists, that it may be written, and that the path names a file"
        default:
            nil
        }
    }
}
