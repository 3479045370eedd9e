import Foundation

/// A folder of a test's own, removed with it.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("LarderKit-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // Nothing depends on it: the folder lies in the system's temporary place.
        try? FileManager.default.removeItem(at: url)
    }

    func url(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Every file and folder below, by its path from here.
    func contents() -> [String] {
        (FileManager.default.subpaths(atPath: url.path) ?? []).sorted()
    }
}

/// The permission bits of a file or folder.
func permissions(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
}
