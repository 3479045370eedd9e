import Foundation
import LarderSQLite

/// Holds the files of large values against the rows that name them, and the other way round.
struct BlobCheck {
    let cache: CacheFiles
    let progress: RepairProgress

    /// A file as its row describes it.
    struct Expectation: Sendable {
        let key: StoreKey
        let name: String
        let size: Int64
        let checksum: Int64

        /// `nil` for a row that names no file.
        init?(_ values: [SQLValue], _ shape: TableShape) {
            func value(_ column: String) -> SQLValue? { shape.index(of: column).map { values[$0] } }
            guard shape.name == "larder_entry", case .text(let name) = value("blob"),
                case .text(let partition) = value("partition"), case .text(let key) = value("key"),
                case .integer(let size) = value("size"), case .integer(let checksum) = value("body_checksum")
            else { return nil }
            self.key = StoreKey(partition: partition, key: key)
            self.name = name
            self.size = size
            self.checksum = checksum
        }
    }

    func run(
        _ expectations: [Expectation], _ connection: FileConnection, _ report: inout VerificationReport
    ) throws {
        var named: Set<String> = []
        var givenUp = 0
        for (index, expectation) in expectations.enumerated() {
            try progress.check()
            named.insert(expectation.name)
            report.blobs += 1
            if try isGivenUp(expectation) {
                givenUp += 1
            } else if let fault = try fault(of: expectation, &report), try isNamed(expectation.name, connection) {
                report.add(
                    .init(
                        .blob, fault, table: "larder_entry", partition: expectation.key.partition,
                        key: expectation.key.key))
            }
            progress.reached(0.7 + 0.2 * Double(index) / Double(expectations.count))
        }
        if givenUp > 0 { report.add(.init(.note, "\(givenUp) large values were given up for room on a full disk")) }
        let orphans = Self.files(in: cache).count { !named.contains($0) }
        if orphans > 0 { report.add(.init(.note, "\(orphans) files in blobs are named by no row")) }
    }

    /// A file of no bytes holds the place of a value whose bytes made room (``BlobFolder/giveUp(_:)``).
    private func isGivenUp(_ expectation: Expectation) throws -> Bool {
        guard expectation.size > 0, BlobFolder.isName(expectation.name) else { return false }
        let path = cache.blobs.appendingPathComponent(expectation.name).path
        return try cache.readUnlessDamaged(path)?.isEmpty ?? false
    }

    /// What is wrong with a file, or `nil`.
    func fault(of expectation: Expectation, _ report: inout VerificationReport) throws -> String? {
        guard BlobFolder.isName(expectation.name) else { return "the row names no file of this cache" }
        guard let bytes = try cache.readUnlessDamaged(cache.blobs.appendingPathComponent(expectation.name).path) else {
            return "the file of the value is missing"
        }
        report.bytes += bytes.count
        guard Int64(bytes.count) == expectation.size else { return "the file of the value is cut" }
        let sum = bytes.withUnsafeBytes(RowChecksum.ofBody)
        return sum == expectation.checksum ? nil : "the file of the value does not fit its checksum"
    }

    /// The value may have been replaced since its row was read, and its file removed.
    private func isNamed(_ name: String, _ connection: FileConnection) throws -> Bool {
        do {
            return try connection.read { db in
                try db.first("SELECT 1 FROM larder_entry WHERE blob = \(name)") { _ in true } ?? false
            }
        } catch let error as SQLiteError where error.isOfDamage {
            // Nothing says otherwise.
            return true
        }
    }

    static func files(in cache: CacheFiles) -> [String] {
        CacheFiles.files(under: cache.blobs).filter(BlobFolder.isName)
    }
}
