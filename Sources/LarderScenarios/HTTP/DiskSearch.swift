import Foundation

/// Looks for a text in every file of a folder, the log of the database and what it no longer uses included.
enum DiskSearch {
    /// How often the bytes of `text` are there.
    ///
    /// - Throws: ``CaseFailure`` when a file cannot be read, since it might hold them.
    static func count(_ text: String, in folder: URL) throws(CaseFailure) -> Int {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.path) else {
            throw CaseFailure("the cache's folder cannot be listed")
        }
        var count = 0
        for name in names.sorted() {
            let file = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            guard let data = try? Data(contentsOf: file) else { throw CaseFailure("\(name) cannot be read") }
            count += occurrences(of: Data(text.utf8), in: data)
        }
        return count
    }

    private static func occurrences(of text: Data, in data: Data) -> Int {
        var count = 0
        var start = data.startIndex
        while let found = data.range(of: text, in: start..<data.endIndex) {
            count += 1
            start = found.upperBound
        }
        return count
    }
}
