import Foundation

/// Holds the files of the app's own choice (``ResourceOptions/Storage/files``) against their checksums.
struct FileCheck {
    let cache: CacheFiles
    let progress: RepairProgress

    func run(_ report: inout VerificationReport) throws {
        for name in Self.names(in: cache) {
            try progress.check()
            let path = cache.files.appendingPathComponent(name).path
            let bytes = try cache.readUnlessDamaged(path)
            // One that was removed meanwhile is no finding.
            guard bytes != nil || FileManager.default.fileExists(atPath: path) else { continue }
            report.files += 1
            report.bytes += bytes?.count ?? 0
            guard let key = bytes.flatMap(Self.key) else {
                report.add(.init(.file, "the file of a value in files is cut, or does not fit its checksum"))
                continue
            }
            if !name.hasSuffix("/\(FileName.name(for: key.key)).entry") {
                report.add(
                    .init(.note, "a file in files bears another value's name", partition: key.partition, key: key.key))
            }
        }
    }

    static func names(in cache: CacheFiles) -> [String] {
        CacheFiles.files(under: cache.files).filter { name in
            name.hasSuffix(".entry") && !(name.split(separator: "/").last?.hasPrefix(".") ?? true)
        }
    }

    /// The key whose value a file holds, or `nil` when it is damaged.
    static func key(_ bytes: Data) -> StoreKey? {
        let rest = bytes.dropFirst(FileFormat.headerStart)
        guard let length = try? FileFormat.headerLength(bytes.prefix(FileFormat.headerStart)), rest.count >= length,
            let header = try? FileFormat.header(rest.prefix(length))
        else { return nil }
        let key = FileFormat.key(header)
        return (try? FileFormat.decode(bytes, for: key)) == nil ? nil : key
    }
}
