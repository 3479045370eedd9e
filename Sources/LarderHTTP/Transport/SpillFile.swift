import Foundation

/// Bytes that wait in a file, first in, first out. The file has no name as long as it is open, and goes with the process.
///
/// Not for use by two threads at once.
struct SpillFile {
    private let file: FileHandle
    private var read: UInt64 = 0
    private var written: UInt64 = 0

    /// - Throws: Where the system's folder for temporary files cannot be written to.
    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: url.path(percentEncoded: false), contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        file = try FileHandle(forUpdating: url)
        try FileManager.default.removeItem(at: url)
    }

    var isEmpty: Bool { read == written }

    mutating func append(_ data: Data) throws {
        try file.seek(toOffset: written)
        try file.write(contentsOf: data)
        written += UInt64(data.count)
    }

    /// The next bytes, at most so many; `nil` when there are none.
    mutating func next(upTo limit: Int) throws -> Data? {
        guard !isEmpty else { return nil }
        try file.seek(toOffset: read)
        let data = try file.read(upToCount: min(limit, Int(written - read)))
        guard let data, !data.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
        read += UInt64(data.count)
        if isEmpty {
            try file.truncate(atOffset: 0)
            (read, written) = (0, 0)
        }
        return data
    }
}
