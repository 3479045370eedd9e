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
        let made = try PrivateFiles.createFolder(folder, on: environment.disk)
        if options.durability == .powerLoss {
            for folder in made { try environment.disk.syncFolder(folder.deletingLastPathComponent().path) }
        }
        let path = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let result = entries.withLock { entries -> Result<LarderCore, StorageError> in
            if let core = entries[path]?.core { return .success(core) }
            return Result { () throws(StorageError) in
                let folder = URL(fileURLWithPath: path, isDirectory: true)
                let core = try open(folder, isTemporary: isTemporary, options: options, environment: environment)
                entries = entries.filter { $0.value.core != nil }
                entries[path] = Entry(core: core)
                // An older cache may have something left to be tidied up.
                if !core.keeper.isKnown { core.noteForIdle() }
                return core
            }
        }
        return try result.get()
    }

    /// Opens the cache in a folder, or another one beside it where that is of a newer version, as the app has chosen.
    private func open(
        _ folder: URL, isTemporary: Bool, options: LarderOptions, environment: LarderEnvironment
    ) throws(StorageError) -> LarderCore {
        do throws(StorageError) {
            return try LarderCore(
                folder: folder, isTemporary: isTemporary, options: options, environment: environment)
        } catch {
            guard error.kind == .newerFormat, options.newerFormat == .freshBeside else { throw error }
            let beside = folder.appendingPathComponent("format-\(Schema.version)", isDirectory: true)
            return try LarderCore(
                folder: beside, isTemporary: isTemporary, options: options, environment: environment)
        }
    }

    func forget(_ core: LarderCore) {
        entries.withLock { entries in
            entries = entries.filter { $0.value.core != nil && $0.value.core !== core }
        }
    }
}
