import Foundation
import LarderKit
import LarderSQLite
import LarderTestKit

/// What lies on disk and in memory of one larder, looked at behind its back.
struct Remains {
    let larder: Larder
    let store: OwnStore
    let ledger: Ledger

    /// Everything stored belongs to whoever is signed in.
    ///
    /// - Parameter present: The sign-in of each partition; none of a partition in which nothing may lie.
    func check(_ present: [String: Session]) throws {
        for row in try rows("SELECT partition, key, body FROM larder_entry") {
            check(Self.value(in: row.body)?.owner, in: row.partition, "row of \(row.name)", present)
        }
        for row in try rows("SELECT partition, feed, body FROM larder_item") {
            let item = try? JSONDecoder().decode(FeedItem.self, from: row.body)
            check(item.flatMap { Owner($0.text) }, in: row.partition, "item of \(row.name)", present)
        }
        for file in try files() {
            let owner = Self.value(in: try Data(contentsOf: file))?.owner
            check(owner, in: owner?.partition ?? "", "file \(file.lastPathComponent)", present)
        }
        for (key, entry) in store.all {
            check(Self.value(in: entry.body)?.owner, in: key.partition, "own entry of \(key.key)", present)
        }
    }

    private func check(_ owner: Owner?, in partition: String, _ what: String, _ present: [String: Session]) {
        ledger.count("values checked")
        ledger.check(
            owner != nil && owner == present[partition]?.owner,
            "in partition \"\(partition)\" lies a \(what) of \(owner.map { "\($0)" } ?? "nobody")")
    }

    private func rows(_ sql: String) throws -> [(partition: String, name: String, body: Data)] {
        try larder.read { db in
            try db.withStatement(sql) { statement in
                try statement.collect { row in (try row.text(0), try row.text(1), try row.data(2)) }
            }
        }
    }

    private func files() throws -> [URL] {
        guard let folder = larder.folder?.appendingPathComponent("files"),
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        else { return [] }
        return files.compactMap { $0 as? URL }.filter { $0.pathExtension == "entry" }
    }

    /// The value that some bytes end with.
    private static func value(in data: Data) -> Owned? {
        guard let start = data.range(of: Owned.mark)?.lowerBound else { return nil }
        return try? JSONDecoder().decode(Owned.self, from: Data(data[start...]))
    }
}
