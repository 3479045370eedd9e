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
        }
    }

    #if canImport(Darwin)
        private static func standardFolder() throws(StorageError) -> URL {
            do {
                var folder = try FileManager.default.url(
                    for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
                folder.appendPathComponent(Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
                folder.appendPathComponent("Larder", isDirectory: true)
                try PrivateFiles.createFolder(folder)
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                try folder.setResourceValues(values)
                return folder
            } catch {
                throw StorageError.wrapping(error)
            }
        }
    #else
        private static func standardFolder() throws(StorageError) -> URL {
            let environment = ProcessInfo.processInfo.environment
            // The XDG base directory specification asks that a relative path be ignored.
            let base =
                environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
                ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache")
            return base.appendingPathComponent("larder")
                .appendingPathComponent(FileName.name(for: ProcessInfo.processInfo.processName), isDirectory: true)
        }
    #endif
}
