import Foundation

/// What stands at a path, as far as this process may know.
enum PathKind: Hashable {
    case none
    case file
    case folder
    /// It is there and may not be read, or is behind a folder that may not be entered.
    case unreadable

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = errno == EACCES ? .unreadable : .none
            return
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        guard access(path, isFolder ? X_OK : R_OK) == 0 || errno != EACCES else {
            self = .unreadable
            return
        }
        self = isFolder ? .folder : .file
    }
}
