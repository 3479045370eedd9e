import Foundation
import LarderSQLite
import Synchronization

/// Makes room on a full disk, without the database: there a removal needs space as well
/// (<https://www.sqlite.org/rescode.html#full>).
///
/// First the reserve goes, then the bytes of large values that were not used for longest. Their rows go with the write that
/// room was made for; where that fails all the same, they count as not stored.
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

    /// - Parameters:
    ///   - bytes: What is to be written.
    ///   - key: What it is to take the place of, which stays until then.
    /// - Returns: What has to happen in the database before the write; `nil` where nothing could be done.
    func makeRoom(
        for bytes: Int, sparing key: StoreKey? = nil
    ) -> (@Sendable (borrowing Connection) throws -> Void)? {
        if reserve.release(), bytes <= Reserve.size { return { _ in } }
        guard let victims = leastUsed(bytes: max(bytes, Self.step), for: bytes, sparing: key), !victims.isEmpty else {
            return nil
        }
        blobs.giveUp(victims)
        // Their empty files are swept some time.
        return { db in
            for name in victims {
                _ = try EntryTable.remove(where: "blob = ?1", in: db) { statement in try statement.bind(name, at: 1) }
            }
        }
    }

    /// Files of values, least recently used first, that come to so many bytes; `nil` when all of them are not enough for the
    /// least that is needed.
    private func leastUsed(bytes: Int, for least: Int, sparing key: StoreKey?) -> [String]? {
        guard let database = database.withLock({ $0?.database }) else { return nil }
        let sql = """
            SELECT blob, size, partition, key FROM larder_entry AS entry INDEXED BY larder_entry_used
            WHERE blob IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM larder_pin AS pin WHERE pin.partition = entry.partition AND pin.key = entry.key)
            ORDER BY used_at
            """
        return try? database.withReader { db in
            try db.withStatement(sql) { statement -> [String]? in
                var (names, sum): ([String], Int) = ([], 0)
                while sum < bytes, try statement.step() {
                    guard let name = try statement.row.readableText(0) else { continue }
                    if let key, try statement.row.readableText(2) == key.partition,
                        try statement.row.readableText(3) == key.key
                    {
                        continue
                    }
                    names.append(name)
                    sum += Int(clamping: try statement.row.readableInt64(1) ?? 0)
                }
                return sum >= least ? names : nil
            }
        }
    }
}
