#if canImport(Darwin)
    import Foundation

    /// What Apple's systems want to be told of a cache's folder. Written from their documentation.
    enum AppleFolder {
        /// Makes a folder whose files are readable from the first time that the device is unlocked, also in the background, and are in
        /// no backup.
        static func create(_ folder: URL) throws(StorageError) {
            try PrivateFiles.createFolder(folder)
            do {
                #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
                    // What is made in the folder has the class of the folder.
                    try FileManager.default.setAttributes(
                        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                        ofItemAtPath: folder.path)
                #endif
                var folder = folder
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                try folder.setResourceValues(values)
            } catch {
                throw StorageError.wrapping(error)
            }
        }

        /// The folder of a cache that an app shares with its extensions.
        static func shared(_ group: String) throws(StorageError) -> URL {
            guard
                let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
            else {
                throw StorageError(
                    .notPermitted, "this program is in no app group \(group)",
                    nextStep: "Add the App Groups capability with this group to the app and to each extension.")
            }
            let folder = container.appendingPathComponent("Library/Application Support/Larder", isDirectory: true)
            try create(folder)
            return folder
        }
    }
#endif
