import Foundation

/// The files of a cache, by the names they have in its folder. Nothing is opened.
struct CacheFiles: Sendable {
    struct File: Sendable, Hashable {
        /// From the cache's folder on.
        let path: String
        let size: Int
    }

    let folder: URL
    /// In the order of their paths.
    let files: [File]

    init(folder: URL) {
        self.folder = folder
        let paths = FileManager.default.enumerator(atPath: folder.path)
        var files: [File] = []
        // A file that another process removes meanwhile is not there any more.
        while let path = paths?.nextObject() as? String {
            guard let attributes = paths?.fileAttributes, attributes[.type] as? FileAttributeType == .typeRegular,
                let size = (attributes[.size] as? NSNumber)?.intValue
            else { continue }
            files.append(File(path: path, size: size))
        }
        self.files = files.sorted { $0.path < $1.path }
    }

    /// Whether there is a cache in the folder, be it sound or not.
    var isCache: Bool { files.contains { $0.path == "cache.sqlite" } }

    var sizes: CacheFolder.Sizes {
        files.reduce(into: CacheFolder.Sizes()) { sizes, file in
            sizes.all += file.size
            switch file.path {
            case "cache.sqlite": sizes.database += file.size
            case "cache.sqlite-wal", "cache.sqlite-shm": sizes.log += file.size
            default: sizes.files += file.size
            }
        }
    }

    var json: JSONText {
        .object([
            ("folder", .string(folder.path)),
            ("exists", .bool(isCache)),
            ("size", .number(sizes.all)),
            ("files", .array(files.map { .object([("path", .string($0.path)), ("size", .number($0.size))]) })),
        ])
    }
}
