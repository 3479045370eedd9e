import Foundation
import LarderSQLite

/// Removes rows and files that are damaged, one by one, in one transaction, and takes back what they proved.
struct RowRemoval {
    let cache: CacheFiles
    let progress: RepairProgress

    func run(_ report: inout RepairReport) throws {
        if report.outcome == .sound { report.outcome = .removedRows }
        if (cache.size(cache.database) ?? 0) > 0 {
            let connection = try FileConnection(cache.database.path, vfs: cache.disk.vfs)
            var files: [String] = []
            (report, files) = try connection.write { [report] db in
                var report = report
                let files = try removeRows(in: db, &report)
                return (report, files)
            }
            for file in files where BlobFolder.isName(file) {
                try cache.disk.remove(cache.blobs.appendingPathComponent(file).path)
                report.removedFiles += 1
            }
        }
        try removeFiles(&report)
    }

    /// What is known of the feeds that lose something.
    private struct Loss {
        /// The places of items that are gone, by feed.
        var places: [Int64: [SortKey]] = [:]
        /// Feeds of which nothing is proven any more.
        var unproven: Set<Int64> = []
    }

    /// - Returns: The files of values that no row names any more.
    private func removeRows(in db: borrowing Connection, _ report: inout RepairReport) throws -> [String] {
        var loss = Loss()
        let shapes = try TableShape.all()
        let files = try removeBlobRows(shapes, in: db, &report)
        for shape in shapes where shape.proof != nil { try removeDamaged(of: shape, in: db, &loss, &report) }
        try removeStrays(in: db, &loss, &report)
        try removeMisplaced(in: db, &loss, &report)
        for feed in try db.query("SELECT id FROM larder_feed", { try $0.int64(0) }) {
            let isUnproven = loss.unproven.contains(feed)
            guard loss.places[feed] != nil || isUnproven else { continue }
            report.gaps += try ProofSettling(feed: feed).run(
                unknown: loss.places[feed] ?? [], dropsProofs: isUnproven, in: db)
            if isUnproven { report.feedsWithoutProof += 1 }
        }
        return files
    }

    /// Values whose files are missing or damaged.
    private func removeBlobRows(
        _ shapes: [TableShape], in db: borrowing Connection, _ report: inout RepairReport
    ) throws -> [String] {
        guard let shape = shapes.first(where: { $0.name == "larder_entry" }) else { return [] }
        let check = BlobCheck(cache: cache, progress: progress)
        var damaged: [String] = []
        try RowCheck.forEachRow(of: shape, in: db) { _, values in
            try progress.check()
            guard shape.proof?.isSound(values) ?? false, let expected = BlobCheck.Expectation(values, shape) else {
                return
            }
            var ignored = VerificationReport()
            if try check.fault(of: expected, &ignored) != nil { damaged.append(expected.name) }
        }
        for name in damaged {
            try db.execute("DELETE FROM larder_entry WHERE blob = \(name)")
            report.lost["larder_entry", default: 0] += db.changes
        }
        return damaged
    }

    private func removeDamaged(
        of shape: TableShape, in db: borrowing Connection, _ loss: inout Loss, _ report: inout RepairReport
    ) throws {
        var damaged: [(number: Int64?, values: [SQLValue])] = []
        try RowCheck.forEachRow(of: shape, in: db) { number, values in
            try progress.check()
            if shape.proof?.isSound(values) == false { damaged.append((number, values.map(\.withoutBytes))) }
        }
        for (number, values) in damaged {
            if let number {
                try db.execute(SQL(raw: "DELETE FROM \(shape.name) WHERE rowid = ?", arguments: [.integer(number)]))
            } else {
                let keys = shape.keyColumns.map { values[$0] }
                let condition = shape.keyColumns.map { "\(shape.columns[$0]) IS ?" }.joined(separator: " AND ")
                try db.execute(SQL(raw: "DELETE FROM \(shape.name) WHERE \(condition)", arguments: keys))
            }
            report.lost[shape.name, default: 0] += db.changes
            if let feed = shape.index(of: "feed"), case .integer(let id) = values[feed] {
                loss.places[id, default: []] += Self.place(values, shape)
            }
        }
    }

    /// Where an item was; the rows of the other tables leave no gap.
    private static func place(_ values: [SQLValue], _ shape: TableShape) -> [SortKey] {
        guard shape.name == "larder_feed_item", let key = shape.index(of: "key") else { return [] }
        return switch values[key] {
        case .integer(let number): [.integer(number)]
        case .blob(let bytes): [.bytes(Array(bytes))]
        case .null, .real, .text: []
        }
    }

    private func removeStrays(in db: borrowing Connection, _ loss: inout Loss, _ report: inout RepairReport) throws {
        let items: SQL = "SELECT feed, key FROM larder_feed_item WHERE codec NOT IN (SELECT id FROM larder_codec)"
        for (feed, key) in try db.query(items, { row in (try row.int64(0), try row.sortKey(1)) }) {
            loss.places[feed, default: []].append(key)
        }
        for stray in RowCheck.strays {
            try db.execute(SQL(raw: "DELETE FROM \(stray.table) WHERE \(stray.condition)"))
            if db.changes > 0 { report.lost[stray.table, default: 0] += db.changes }
        }
    }

    /// Items whose keys are not those of their ids, and feeds whose declaration cannot be read or whose proofs overlap.
    private func removeMisplaced(in db: borrowing Connection, _ loss: inout Loss, _ report: inout RepairReport) throws {
        let feeds = try db.query("SELECT id, paging FROM larder_feed") { (try $0.int64(0), try $0.readableText(1)) }
        for (feed, paging) in feeds {
            try progress.check()
            guard let paging = paging.flatMap({ try? Paging(fingerprint: $0) }) else {
                let guess = try PagingGuess.fingerprint(feed: feed, in: db)
                try db.execute("UPDATE larder_feed SET paging = \(guess) WHERE id = \(feed)")
                loss.unproven.insert(feed)
                continue
            }
            for item in try ProofCheck.items(of: feed, order: paging.order, in: db) where !item.isAtItsPlace {
                try ItemTable(feed: feed, order: paging.order).remove(item.key, in: db)
                report.lost["larder_feed_item", default: 0] += db.changes
                loss.places[feed, default: []].append(item.key)
            }
            let segments = try SegmentTable(feed: feed).segments(touching: Span(.bottom, .top), in: db)
            if ProofCheck.overlap(segments) { loss.places[feed, default: []] += [] }
        }
    }

    private func removeFiles(_ report: inout RepairReport) throws {
        guard FileManager.default.fileExists(atPath: cache.files.path) else { return }
        try FolderLock.hold(cache.files) { () throws(StorageError) in
            for name in FileCheck.names(in: cache) {
                let path = cache.files.appendingPathComponent(name).path
                guard try cache.readUnlessDamaged(path).flatMap(FileCheck.key) == nil else { continue }
                try cache.disk.remove(path)
                report.removedFiles += 1
            }
        }
    }
}

extension SQLValue {
    /// The same where it is short: a key, a cut, a number.
    fileprivate var withoutBytes: SQLValue {
        if case .blob(let bytes) = self, bytes.count > 4096 { return .null }
        return self
    }
}
