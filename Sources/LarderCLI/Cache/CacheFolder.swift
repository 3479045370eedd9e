import Foundation
import LarderKit

/// The folder of a cache, as the command line names it.
struct CacheFolder: Sendable, Hashable {
    let url: URL
    /// The tool's own cache, and not one that the command line names.
    let isOwn: Bool

    static let option = Option.value(
        "cache", "DIR", help: "the cache's folder", default: "larder/larder in $XDG_CACHE_HOME or ~/.cache")

    /// - Parameter path: As given; `nil` for the user's own cache.
    /// - Throws: ``UsageError`` for an empty path.
    init(_ path: String?) throws(UsageError) {
        guard let path else {
            url = Self.standard(ProcessInfo.processInfo.environment)
            isOwn = true
            return
        }
        guard !path.isEmpty else { throw UsageError("--cache takes a folder, and an empty text is given") }
        url = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        isOwn = false
    }

    /// How the cache is opened to fetch something into it: how much is kept is for its owner to say.
    var options: LarderOptions { LarderOptions(budget: isOwn ? Self.ownBudget : .unlimited) }

    /// The same for all commands, or one would forget what another has fetched.
    static let ownBudget = StorageBudget(bytes: 1_000_000_000)

    /// The user's own cache. XDG's folders on every system, as a tool of the command line has it; whatever the binary is
    /// called, it is the same.
    static func standard(_ environment: [String: String]) -> URL {
        // The XDG base directory specification asks that a relative path be ignored.
        func folder(_ name: String) -> URL? {
            environment[name].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
        }
        // What Foundation takes for the home on Linux is the account's, whatever `HOME` says.
        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        let base = folder("XDG_CACHE_HOME") ?? home.appendingPathComponent(".cache")
        return base.appendingPathComponent("larder/larder", isDirectory: true)
    }

    /// Opens the cache, making it when there is none.
    func open(for endpoint: Endpoint?, options: LarderOptions? = nil) throws(Trouble) -> Larder {
        _ = try isThere(exitCode: .cannotCreate)
        var environment = LarderEnvironment.live(for: endpoint)
        environment.log = RepairNotice(folder: url)
        do {
            return try Larder(.folder(url), options: options ?? self.options, environment: environment)
        } catch {
            throw Trouble(error, folder: url)
        }
    }

    /// Opens a cache that is there. Makes nothing, and as long as nothing else is said, leaves the cache as it is: how much is
    /// kept is its app's to say, and damage is told of and not mended.
    func openExisting(
        exitCode: ExitCode = .noInput, for endpoint: Endpoint? = nil,
        options: LarderOptions = LarderOptions(budget: .unlimited, damage: .refuse)
    ) throws(Trouble) -> Larder {
        try requireCache(exitCode: exitCode)
        return try open(for: endpoint, options: options)
    }

    /// - Throws: Where there is no cache, be it sound or not.
    func requireCache(exitCode: ExitCode = .noInput) throws(Trouble) {
        switch try isThere(exitCode: exitCode) {
        case .cache: break
        case .emptyFolder:
            throw Trouble(
                "missing", "there is no cache in \(url.path): it has no file cache.sqlite. \(Self.advice)",
                exitCode: exitCode)
        case .nothing:
            throw Trouble(
                "missing", "there is no cache: the folder \(url.path) does not exist. \(Self.advice)",
                exitCode: exitCode)
        }
    }

    /// Does what takes long, and tells a terminal how far it is.
    ///
    /// - Parameter trouble: What a failure is called, if not a trouble with the cache.
    /// - Throws: ``Trouble``, or `CancellationError` when the user has ended it.
    func working<R>(
        _ words: String, trouble: ((StorageError) -> Trouble)? = nil,
        _ body: (_ progress: @escaping @Sendable (Double) -> Void) async throws(StorageError) -> R
    ) async throws -> R {
        let line = ProgressLine()
        defer { line.clear() }
        do throws(StorageError) {
            return try await body(line.share(words))
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw trouble?(error) ?? Trouble(error, folder: url)
        }
    }

    enum Presence {
        case nothing, emptyFolder, cache
    }

    /// What stands at the folder's place, as far as it can become a cache.
    ///
    /// - Throws: For what cannot: a file, a folder in the place of the database, or what this user may not look at.
    func isThere(exitCode: ExitCode) throws(Trouble) -> Presence {
        let file = url.appendingPathComponent("cache.sqlite").path
        switch PathKind(url.path) {
        case .none: return .nothing
        case .unreadable: throw unreadable(url.path)
        case .file:
            throw Trouble(
                "missing", "\(url.path) is a file, and a cache is a folder. \(Self.advice)", exitCode: exitCode)
        case .folder: break
        }
        switch PathKind(file) {
        case .none: return .emptyFolder
        case .unreadable: throw unreadable(file)
        case .file: return .cache
        case .folder:
            throw Trouble(
                "notALarder", "\(file) is a folder, where a cache has a file. Choose another --cache, or move it away.",
                exitCode: .storage)
        }
    }

    private func unreadable(_ path: String) -> Trouble {
        Trouble(
            "notPermitted",
            "the cache's \(path) may not be read. Check its owner and permissions, or choose another --cache.",
            exitCode: .storage)
    }

    /// What to do about a damaged cache, as a sentence with the commands.
    static func ways(of folder: URL) -> String {
        let option = "--cache \(ShellWord.quoted(folder.path) ?? "DIR")"
        return "'larder verify \(option)' tells what is wrong, 'larder repair \(option)' saves what can be read."
    }

    private static let advice = "Fill one with 'larder get URL', or name another with --cache."
}

extension CacheFolder {
    /// The bytes of the files in a cache's folder, as far as they can be seen.
    struct Sizes: Sendable, Hashable {
        var all = 0
        var database = 0
        /// What was written and has not been moved into the database's file yet, and its index.
        var log = 0
        /// Values in files of their own.
        var files = 0
    }

    /// The bytes of all files in the folder.
    var size: Int { sizes.all }

    var sizes: Sizes { CacheFiles(folder: url).sizes }
}
