import Foundation

/// The files that paths name: a file is itself, a folder all JSON files under it, by name.
enum CaseFinder {
    /// - Throws: ``CaseFailure`` for a path that is not there.
    static func files(at path: String) throws(CaseFailure) -> [URL] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CaseFailure("there is no \(path)")
        }
        let url = URL(fileURLWithPath: path, isDirectory: isFolder.boolValue)
        guard isFolder.boolValue else { return [url] }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { url.appendingPathComponent($0) }
    }
}
