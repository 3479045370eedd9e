import Foundation
import LarderSQLite
import Synchronization

/// Makes room on a full disk, without the database: there a removal needs space as well
/// (<https://www.sqlite.org/rescode.html#full>).
///
/// First the reserve goes, then the files of values that were not used for longest. The rows that named them go with the
/// write that room was made for.
final class RoomMaker: Sendable {
    let reserve: Reserve
    private let blobs: BlobFolder
    /// Set when there is one: it is what calls this.
    private let database = Mutex<WeakDatabase?>(nil)

    private struct WeakDatabase {
        weak var database: Database?
    }

    /// What is made at least, where that takes values.
    static let step = 1 << 20

    init(reserve: Reserve, blobs: BlobFolder) {
        self.reserve = reserve
        self.blobs = blobs
    }

    func serve(_ database: Database) {
        self.database.withLock { $0 = WeakDatabase(database: database) }
    }

    /// - Parameter bytes: What is to be written.
    /// - Returns: What has to happen in the database before the write; `nil` where nothing could be done.
    func makeRoom(for bytes: Int) -> (@Sendable (borrowing Connection) throws -> Void)? {
        if reserve.release(), bytes <= Reserve.size { return { _ in } }
        guard let victims = leastUsed(bytes: max(bytes, Self.step), for: bytes), !victims.isEmpty else { return nil }
        blobs.remove(victims)
        return { db in
            for name in victims {
                _ = try EntryTable.remove(where: "blob = ?1", in: db) { statement in try statement.bind(name, at: 1) }
            }
        }
    }

    /// Files of values, least recently used first, that come to so many bytes; `nil` when all of them are not enough for the
    /// least that is needed.
    private func leastUsed(bytes: Int, for least: Int) -> [String]? {
        guard let database = database.withLock({ $0?.database }) else { return nil }
        let sql = """
            SELECT blob, size FROM larder_entry AS entry INDEXED BY larder_entry_used
            WHERE blob IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM larder_pin AS pin WHERE pin.partition = entry.partition AND pin.key = entry.key)
            ORDER BY used_at
            """
        return try? database.withReader { db in
            try db.withStatement(sql) { statement -> [String]? in
                var (names, sum): ([String], Int) = ([], 0)
                while sum < bytes, try statement.step() {
                    guard let name = try statement.row.readableText(0) else { continue }
                    names.append(name)
                    sum += Int(clamping: try statement.row.readableInt64(1) ?? 0)
                }
                return sum >= least ? names : nil
            }
        }
    }
}
