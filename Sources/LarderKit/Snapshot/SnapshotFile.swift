import Foundation
import LarderSQLite

/// What is wrong with a snapshot. Apart from what is wrong with the cache, which is repaired for that.
struct SnapshotTrouble: Error {
    let error: StorageError
}

/// A snapshot that is read: whatever is in it, be it damaged or made to do harm, costs no more than the file is long.
struct SnapshotFile: Sendable {
    let path: String

    /// - Throws: ``SnapshotTrouble`` of kind `missing`, `notALarder`, `newerFormat` or `corrupt`, and what `body` throws.
    func read<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw SnapshotTrouble(
                error: StorageError(
                    .missing, "there is no snapshot \(path)", nextStep: "Name a file that an export has written."))
        }
        guard !isFolder.boolValue else { throw SnapshotTrouble(error: .noSnapshot(path)) }
        // What the body itself throws is no word about the snapshot.
        let result: Result<R, any Error> = try judging {
            try DetachedFile.read(path) { db in
                try SnapshotFormat.check(db, path: path)
                do { return .success(try body(db)) } catch { return .failure(error) }
            }
        }
        return try result.get()
    }

    /// Makes the errors of the snapshot itself what they are to whoever imports it.
    private func judging<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError {
            let trouble: StorageError =
                switch error.code.primary {
                case .notADatabase: .noSnapshot(path)
                case .corrupt, .mismatch, .range, .tooBig, .error, .schema: .damagedSnapshot(path)
                case .cannotOpen, .permission:
                    StorageError(
                        .notPermitted, "the snapshot \(path) cannot be read", nextStep: "Check who may read it.",
                        underlying: error)
                default: .wrapping(error)
                }
            throw SnapshotTrouble(error: trouble)
        } catch let error as StorageError {
            throw SnapshotTrouble(error: error)
        }
    }

    /// Goes through the rows of a table in the order of their numbers. Numbers that do not grow are those of pages that lead back
    /// to each other.
    ///
    /// - Parameter body: Is given the row, its columns from 1 on, and its number.
    func walk(
        _ table: String, _ columns: String, in db: borrowing Connection,
        _ body: (borrowing Row, Int64) throws -> Void
    ) throws {
        try db.withStatement("SELECT rowid, \(columns) FROM \(table) ORDER BY rowid") { statement in
            var last: Int64?
            while try next(statement) {
                let number = try statement.row.int64(0)
                if let last, number <= last { throw SnapshotTrouble(error: .damagedSnapshot(path)) }
                last = number
                try body(statement.row, number)
            }
        }
    }

    private func next(_ statement: borrowing Statement) throws -> Bool {
        let result = Result { () throws(SQLiteError) in try statement.step() }
        return try judging { try result.get() }
    }

    func about(in db: borrowing Connection) throws -> SnapshotAbout {
        var found: [SnapshotAbout?] = []
        try walk("snapshot_about", SnapshotAbout.columns, in: db) { row, _ in
            if found.count < 2 { found.append(try SnapshotAbout(row, from: 1)) }
        }
        guard found.count == 1, let about = found[0] else { throw SnapshotTrouble(error: .damagedSnapshot(path)) }
        return about
    }

    /// The value in a row, read again; `nil` when it is not there any more.
    func value(_ number: Int64, in db: borrowing Connection) throws -> SnapshotValue? {
        try db.withStatement("SELECT \(SnapshotValue.columns) FROM snapshot_value WHERE rowid = ?1") { statement in
            try statement.bind(number, at: 1)
            return try next(statement) ? try SnapshotValue(statement.row, from: 0) : nil
        }
    }
}
