import Foundation
import Synchronization

/// The open caches of this process by folder, so that opening one twice gives one shared core.
final class CoreRegistry: Sendable {
    static let shared = CoreRegistry()

    private struct Entry {
        weak var core: LarderCore?
    }

    private let entries = Mutex<[String: Entry]>([:])

    func core(
        at folder: URL, isTemporary: Bool, options: LarderOptions, environment: LarderEnvironment
    ) throws(StorageError) -> LarderCore {
        // Made before its path is resolved: a folder that does not exist has no real path yet.
        try PrivateFiles.createFolder(folder)
        let path = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let result = entries.withLock { entries -> Result<LarderCore, StorageError> in
            if let core = entries[path]?.core { return .success(core) }
            return Result { () throws(StorageError) in
                let core = try LarderCore(
                    folder: URL(fileURLWithPath: path, isDirectory: true), isTemporary: isTemporary,
                    options: options, environment: environment)
                entries = entries.filter { $0.value.core != nil }
                entries[path] = Entry(core: core)
                // An older cache may have something left to be tidied up.
                if !core.keeper.isKnown { core.noteForIdle() }
                return core
            }
        }
        return try result.get()
    }

    func forget(_ core: LarderCore) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.core != nil && $0.value.core !== core }
        }
    }
}
