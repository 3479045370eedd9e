import Foundation

/// A folder of a loop's own, gone with its last reference.
final class ScratchFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("larder-loop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // Nothing depends on it: the folder lies in the system's temporary place.
        try? FileManager.default.removeItem(at: url)
    }

    var cache: URL { url.appendingPathComponent("cache", isDirectory: true) }
}
