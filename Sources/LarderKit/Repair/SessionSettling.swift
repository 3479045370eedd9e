import Foundation
import LarderSQLite

/// What is done when it cannot be told any more who was signed out, or what was said to have changed.
struct SessionSettling {
    /// The tables that were not read whole.
    let incomplete: Set<String>

    func run(in db: borrowing Connection, _ report: inout RepairReport) throws {
        if incomplete.contains("larder_partition") {
            try PartitionTable.endAll(in: db)
            report.endedAllSessions = true
        }
        if incomplete.contains("larder_tag") {
            // What would be found by a tag that is lost would stay fresh when the app says that it has changed.
            try db.executeScript(Self.invalidation)
            report.outdatedAllAnswers = true
        }
        if !incomplete.isDisjoint(with: ["larder_fence", "larder_gone"]) {
            let names = try db.query("SELECT partition FROM larder_entry UNION SELECT partition FROM larder_feed") {
                try $0.text(0)
            }
            let now = StampSource().next(at: Date())
            for name in names { try FenceTable(partition: name).insert(.all, stamp: now.order, in: db) }
            report.outdatedAllAnswers = true
        }
    }

    private static let invalidation = """
        UPDATE larder_entry SET lifetime = -1,
            checksum = larder_checksum('entry', partition, key, codec, stamp, stored_at, -1, etag, last_modified,
                while_revalidate, if_error, size, blob, body_checksum);
        UPDATE larder_segment SET lifetime = -1,
            checksum = larder_checksum('segment', feed, low, high, stamp, at, -1);
        """
}
