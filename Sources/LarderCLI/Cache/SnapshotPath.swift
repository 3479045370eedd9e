import Foundation
import LarderKit

/// The file of a snapshot, as the command line names it.
struct SnapshotPath: Sendable, Hashable {
    let url: URL

    /// - Throws: ``UsageError`` for an empty path.
    init(_ path: String?) throws(UsageError) {
        guard let path, !path.isEmpty else { throw UsageError("FILE is an empty text") }
        url = URL(fileURLWithPath: path).standardizedFileURL
    }

    /// Whether it lies in a folder, also through links.
    func isWithin(_ folder: URL) -> Bool {
        let own = folder.resolvingSymlinksInPath().path
        let place = url.deletingLastPathComponent().resolvingSymlinksInPath().path
        return place == own || place.hasPrefix(own + "/")
    }

    /// - Throws: Where there is nothing to read.
    func requireFile() throws(Trouble) {
        switch PathKind(url.path) {
        case .file: break
        case .none:
            throw Trouble(
                "missing", "there is no file \(url.path). Name one that 'larder export' has written.",
                exitCode: .noInput)
        case .folder:
            throw Trouble("notASnapshot", "\(url.path) is a folder, and a snapshot is a file.", exitCode: .noInput)
        case .unreadable:
            throw Trouble(
                "notPermitted", "\(url.path) may not be read. Check its owner and permissions.", exitCode: .noInput)
        }
    }

    /// - Throws: Where something is in the way.
    func requireRoom(mayReplace: Bool) throws(Trouble) {
        let folder = url.deletingLastPathComponent().path
        guard PathKind(folder) == .folder else {
            throw Trouble(
                "missing", "there is no folder \(folder) that could be written to. Make it, or name another file.",
                exitCode: .cannotCreate)
        }
        switch PathKind(url.path) {
        case .none: break
        case .folder:
            throw Trouble("exists", "\(url.path) is a folder. Name a file.", exitCode: .cannotCreate)
        case .file, .unreadable:
            guard !mayReplace else { break }
            throw Trouble(
                "exists", "\(url.path) is there already: --force lets the export take its place.",
                exitCode: .cannotCreate)
        }
    }

    /// Does what takes long. What is wrong with the file is told of the file, and the rest of the cache.
    ///
    /// - Parameter isWritten: The file is what takes room.
    func working<R>(
        _ words: String, _ cache: CacheFolder, isWritten: Bool = false,
        _ body: (_ progress: @escaping @Sendable (Double) -> Void) async throws(StorageError) -> R
    ) async throws -> R {
        try await cache.working(
            words,
            trouble: { error in
                if isWritten, error.kind == .full {
                    return Trouble(
                        "full", "the disk has no room for \(url.path). Free some space, or name a file elsewhere.",
                        exitCode: .storage)
                }
                guard error.explanation.contains(url.path) else { return Trouble(error, folder: cache.url) }
                let kind = error.kind == .corrupt ? "damagedSnapshot" : "notASnapshot"
                let message = ([error.explanation + "."] + [error.nextStep].compactMap { $0 }).joined(separator: " ")
                return Trouble(kind, message, exitCode: error.kind == .corrupt ? .damaged : .noInput)
            }, body)
    }
}
