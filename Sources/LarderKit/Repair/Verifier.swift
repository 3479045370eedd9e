import Foundation
import LarderSQLite

/// Looks at every byte of a cache and compares what must fit together. Nothing is changed, and a cache in use stays so.
struct Verifier {
    let cache: CacheFiles
    var isQuick = false
    var progress = RepairProgress()

    func run() throws(StorageError) -> VerificationReport {
        try storing { try look() }
    }

    private func look() throws -> VerificationReport {
        var report = VerificationReport()
        report.isQuick = isQuick
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: cache.folder.path, isDirectory: &isFolder), isFolder.boolValue
        else {
            throw StorageError(
                .missing, "there is no folder \(cache.folder.path)", nextStep: "Check the path of the cache.")
        }
        var blobs: [BlobCheck.Expectation] = []
        let size = cache.size(cache.database)
        if let size, size > 0 || (cache.size(cache.log) ?? 0) > 0 {
            report.bytes += size + (cache.size(cache.log) ?? 0)
            let connection = try cache.open()
            let progress = progress
            connection.setProgress { progress.continues }
            do {
                blobs = try connection.read { db in try look(at: db, &report) }
            } catch let error as SQLiteError where error.isOfDamage {
                try refuseOthers(connection)
                report.add(.init(error.code.primary == .notADatabase ? .header : .structure, Self.text(of: error)))
            } catch let error as SQLiteError where error.code.primary == .interrupted {
                try progress.check()
                throw error
            }
            progress.reached(0.7)
            if !isQuick {
                try BlobCheck(cache: cache, progress: progress).run(blobs, connection, &report)
            }
        } else {
            report.isEmpty = true
            report.add(.init(.note, size == nil ? "there is no cache file yet" : "the cache file is empty"))
        }
        if !isQuick { try FileCheck(cache: cache, progress: progress).run(&report) }
        progress.reached(1)
        return report
    }

    static func text(of error: SQLiteError) -> String {
        switch error.code.primary {
        case .notADatabase: "cache.sqlite is not a database, or its first page is damaged"
        default: "the database is damaged: \(error.message)"
        }
    }

    /// A file that SQLite cannot read may be another program's all the same: then nothing of it is Larder's business.
    private func refuseOthers(_ connection: FileConnection) throws {
        let log = try cache.disk.read(cache.log.path)
        guard let image = DatabaseImage(file: try connection.bytes(), log: log) else { return }
        if image.schema.contains(where: { $0.name.hasPrefix("larder_") }) { return }
        if let application = image.applicationID, application != UInt32(Schema.applicationID),
            application != 0 || !image.schema.isEmpty
        {
            throw CacheIdentity.notALarder(cache.folder.path)
        }
    }

    private func look(at db: borrowing Connection, _ report: inout VerificationReport) throws -> [BlobCheck.Expectation]
    {
        let identity = try CacheIdentity(db, folder: cache.folder.path)
        for finding in identity.findings { report.add(finding) }
        report.isEmpty = identity.isEmpty
        let check = isQuick ? "quick_check" : "integrity_check"
        let messages = try db.query("PRAGMA \(raw: check)(20)") { row in try row.text(0) }
        // Its own word for nothing.
        for message in messages where message != "ok" { report.add(.init(.structure, message)) }
        guard !isQuick, identity.isCurrent else { return [] }
        progress.reached(0.4)
        let shapes = try TableShape.all()
        let findings = try SchemaCheck.run(shapes, in: db)
        for finding in findings { report.add(finding) }
        // Rows of other columns than the known ones tell nothing.
        guard findings.isEmpty else { return [] }
        var blobs: [BlobCheck.Expectation] = []
        for (index, shape) in shapes.enumerated() {
            try going(on: &report) { report in
                try RowCheck(shape: shape, progress: progress).run(in: db, &report, &blobs)
            }
            progress.reached(0.4 + 0.2 * Double(index + 1) / Double(shapes.count))
        }
        try going(on: &report) { report in try RowCheck.findStrays(in: db, &report) }
        try going(on: &report) { report in try ProofCheck(progress: progress).run(in: db, &report) }
        return blobs
    }

    /// What is damaged in one place hides nothing of another.
    private func going(
        on report: inout VerificationReport, _ body: (inout VerificationReport) throws -> Void
    ) throws {
        do { try body(&report) } catch let error as SQLiteError where error.isOfDamage {
            report.add(.init(.structure, Self.text(of: error)))
        }
    }
}

extension SQLiteError {
    /// Whether the file itself is at fault.
    var isOfDamage: Bool { code.primary == .corrupt || code.primary == .notADatabase }
}
