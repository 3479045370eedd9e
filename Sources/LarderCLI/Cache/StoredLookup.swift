import Foundation
import LarderKit

/// Finds what a key of the command line names: a value in the database, one among the files, a list.
struct StoredLookup: Sendable {
    /// Where a value may lie, as the command line names it.
    enum Storage: String, CaseIterable, Sendable {
        case database
        case files
    }

    struct Found: Sendable {
        let key: StoreKey
        let value: Larder.StoredValue?
        /// There is a value in the other place as well.
        let hasOther: Bool
        let feed: FeedSummary?
    }

    let larder: Larder
    let folder: URL
    /// Empty for what belongs to nobody.
    let partition: String
    /// Where to look; `nil` for wherever it is, the database first.
    var storage: Storage?

    /// - Throws: Also when what is there is damaged, and when nothing is there: with what may have been meant.
    func find(_ key: String) async throws(Trouble) -> Found {
        if let found = try await stored(key) { return found }
        let keys: StoredKeys
        do {
            keys = StoredKeys(try await larder.storedKeys())
        } catch {
            throw Trouble(error, Subject(origin: "", folder: folder, isOffline: true, thing: "this key"))
        }
        let meant = keys.meant(by: key, in: partition)
        guard meant.count <= 1 else { throw severalMeant(by: key, count: meant.count) }
        if let key = meant.first, let found = try await stored(key) { return found }
        throw keys.trouble(with: key, in: partition, of: folder)
    }

    private func stored(_ key: String) async throws(Trouble) -> Found? {
        let key = StoreKey(partition: partition, key: key)
        do throws(StorageError) {
            let row = storage == .files ? nil : try larder.rowValue(of: key)
            // Where the first place has it, the other one being damaged takes nothing away.
            let file =
                storage == .database ? nil : row == nil ? try larder.fileValue(of: key) : try? larder.fileValue(of: key)
            let feed: FeedSummary? =
                storage == nil
                ? try await larder.feeds().first { StoreKey(partition: $0.partition, key: $0.name) == key } : nil
            guard row != nil || file != nil || feed != nil else { return nil }
            return Found(key: key, value: row ?? file, hasOther: row != nil && file != nil, feed: feed)
        } catch {
            throw Trouble(error, folder: folder)
        }
    }

    private func severalMeant(by key: String, count: Int) -> Trouble {
        Trouble(
            "ambiguous",
            "\(count) things are shown as \(Printable.line(Endpoint.shown(key))), since secrets are left out: give the whole key.",
            exitCode: .failure)
    }
}
