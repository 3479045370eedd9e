/// A kind of thing that is asked of a disk.
public enum DiskOperation: String, Sendable, Hashable, CaseIterable {
    /// Opening a file that is there.
    case open
    /// Opening a file that is made by it.
    case create
    case read
    case write
    case truncate
    /// Making sure that the bytes of a file are on the disk.
    case sync
    /// Asking for the size of a file.
    case size
    /// Taking a lock on a file, or finding out whether somebody holds it.
    case lock
    /// Mapping memory that is there, shared between the connections of a database.
    case mapSharedMemory
    /// Mapping such memory so that it becomes larger.
    case growSharedMemory
    /// Taking a lock in that memory.
    case lockSharedMemory
    case delete
    /// Asking whether a file is there.
    case access
    case rename
    case createFolder
    /// Making sure that the names in a folder are on the disk.
    case syncFolder
    /// Asking what is in a folder.
    case list

    /// What changes the disk. Where all of these fail, what is stored can still be read.
    public static let changing: Set<DiskOperation> = [
        .create, .write, .truncate, .sync, .growSharedMemory, .delete, .rename, .createFolder, .syncFolder,
    ]

    public static let all = Set(allCases)
}

/// How an operation goes wrong.
public enum DiskFault: String, Sendable, Hashable, CaseIterable {
    /// As when the device fails: nothing is done.
    case ioError
    /// As when the disk is full: what needs room is not done. Concerns only what may need some.
    case full
    /// As when the device fails in the middle: half of the bytes are written. Concerns writes alone.
    case shortWrite

    /// Whether an operation can go wrong in this way.
    public func concerns(_ operation: DiskOperation) -> Bool {
        switch self {
        case .ioError: true
        case .full: [.create, .write, .growSharedMemory, .createFolder, .rename].contains(operation)
        case .shortWrite: operation == .write
        }
    }
}

/// For how long a disk fails.
public enum DiskFailing: String, Sendable, Hashable, CaseIterable {
    /// One operation fails, and all after it succeed.
    case once
    /// So does every one after it.
    case fromThenOn
}
