import Foundation
import LarderKit

/// The folder of a cache, as the command line names it.
struct CacheFolder: Sendable, Hashable {
    let url: URL

    static let option = Option.value(
        "cache", "DIR", help: "the cache's folder", default: "larder/larder in $XDG_CACHE_HOME or ~/.cache")

    /// - Parameter path: As given; `nil` for the user's own cache.
    /// - Throws: ``UsageError`` for an empty path.
    init(_ path: String?) throws(UsageError) {
        guard let path else {
            url = Self.standard(ProcessInfo.processInfo.environment)
            return
        }
        guard !path.isEmpty else { throw UsageError("--cache takes a folder, and an empty text is given") }
        url = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
    }

    /// The user's own cache. XDG's folders on every system, as a tool of the command line has it; whatever the binary is
    /// called, it is the same.
    static func standard(_ environment: [String: String]) -> URL {
        // The XDG base directory specification asks that a relative path be ignored.
        let base =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache")
        return base.appendingPathComponent("larder/larder", isDirectory: true)
    }

    /// Opens the cache, making it when there is none.
    func open(for endpoint: Endpoint?) throws(Trouble) -> Larder {
        do {
            return try Larder(.folder(url), environment: .live(for: endpoint))
        } catch {
            throw Trouble(error, folder: url)
        }
    }

    /// Opens a cache that is there. Makes nothing.
    func openExisting(exitCode: ExitCode, for endpoint: Endpoint? = nil) throws(Trouble) -> Larder {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw Trouble(
                "missing", "there is no cache: the folder \(url.path) does not exist. \(Self.advice)",
                exitCode: exitCode)
        }
        guard isFolder.boolValue else {
            throw Trouble(
                "missing", "\(url.path) is a file, and a cache is a folder. \(Self.advice)", exitCode: exitCode)
        }
        guard FileManager.default.fileExists(atPath: url.appendingPathComponent("cache.sqlite").path) else {
            throw Trouble(
                "missing", "there is no cache in \(url.path): nothing was ever stored there. \(Self.advice)",
                exitCode: exitCode)
        }
        return try open(for: endpoint)
    }

    private static let advice = "Fill one with 'larder get URL', or name another with --cache."
}

extension CacheFolder {
    /// The bytes of all files in the folder, as far as they can be seen.
    var size: Int {
        let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
        let files = FileManager.default.enumerator(at: url, includingPropertiesForKeys: keys)
        return (files?.compactMap { $0 as? URL } ?? []).reduce(0) { total, file in
            let values = try? file.resourceValues(forKeys: Set(keys))
            return total + (values?.isRegularFile == true ? values?.fileSize ?? 0 : 0)
        }
    }
}
