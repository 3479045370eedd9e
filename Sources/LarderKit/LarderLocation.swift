import Foundation

extension Larder.Location {
    func folder() throws(StorageError) -> URL {
        switch self {
        case .folder(let url):
            return url
        case .temporary:
            return FileManager.default.temporaryDirectory
                .appendingPathComponent("larder-\(UUID().uuidString)", isDirectory: true)
        case .standard:
            return try Self.standardFolder()
        #if canImport(Darwin)
            case .appGroup(let group):
                return try AppleFolder.shared(group)
        #endif
        }
    }

    #if canImport(Darwin)
        /// Apple TV has no Application Support folder that may be written to; Caches may go while the app does not run.
        #if os(tvOS)
            private static let directory = FileManager.SearchPathDirectory.cachesDirectory
        #else
            private static let directory = FileManager.SearchPathDirectory.applicationSupportDirectory
        #endif

        private static func standardFolder() throws(StorageError) -> URL {
            do {
                var folder = try FileManager.default.url(
                    for: directory, in: .userDomainMask, appropriateFor: nil, create: true)
                folder.appendPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
                folder.appendPathComponent("Larder", isDirectory: true)
                try AppleFolder.create(folder)
                return folder
            } catch {
                throw StorageError.wrapping(error)
            }
        }
    #else
        private static func standardFolder() throws(StorageError) -> URL {
            xdgFolder(
                environment: ProcessInfo.processInfo.environment,
                home: FileManager.default.homeDirectoryForCurrentUser, program: ProcessInfo.processInfo.processName)
        }

        /// A program's folder by the XDG base directory specification, which asks that a relative path be ignored.
        ///
        /// - Parameter home: Where `HOME` names none. What Foundation takes for the home is the account's, whatever `HOME` says.
        static func xdgFolder(environment: [String: String], home: URL, program: String) -> URL {
            func folder(_ name: String) -> URL? {
                environment[name].flatMap { path in
                    path.hasPrefix("/") ? URL(fileURLWithPath: path, isDirectory: true) : nil
                }
            }
            let home = folder("HOME") ?? home
            return (folder("XDG_CACHE_HOME") ?? home.appendingPathComponent(".cache", isDirectory: true))
                .appendingPathComponent("larder", isDirectory: true)
                .appendingPathComponent(FileName.name(for: program), isDirectory: true)
        }
    #endif
}
