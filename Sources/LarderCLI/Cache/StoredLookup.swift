import Foundation
import LarderKit

/// Finds what a key of the command line names: a value in the database, one among the files, a list.
struct StoredLookup: Sendable {
    /// Where a value may lie, as the command line names it.
    enum Storage: String, CaseIterable, Sendable {
        case database
        case files
        /// Among the answers that an HTTP cache keeps.
        case http
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

    /// The key that is meant: the one that was typed, if something is stored under it, or else the only one that is shown so.
    ///
    /// - Parameter withLists: A URL means its list as well, wherever its items are.
    /// - Throws: When there is none, with what may have been meant.
    func key(_ text: String, withLists: Bool = false) async throws(Trouble) -> StoreKey {
        let key = StoreKey(partition: partition, key: text)
        let keys: StoredKeys
        do throws(StorageError) {
            if try larder.isStored(key) { return key }
            keys = try await larder.storedKeys()
        } catch {
            throw Trouble(error, folder: folder)
        }
        let meant = keys.meant(by: text, in: partition, withLists: withLists)
        guard meant.count <= 1 else {
            throw Trouble(
                "ambiguous",
                "\(meant.count) things are shown as \(Printable.line(Endpoint.shown(text))), since secrets are left out: give the "
                    + "whole key.",
                exitCode: .failure)
        }
        guard let only = meant.first else { throw keys.trouble(with: text, in: partition, of: folder) }
        return StoreKey(partition: partition, key: only)
    }

    /// - Parameter storage: Where to look; `nil` for wherever it is, the database first.
    /// - Throws: Also when what is there is damaged.
    func find(_ text: String, in storage: Storage? = nil) async throws(Trouble) -> Found {
        let key = try await key(text, withLists: true)
        do throws(StorageError) {
            let row = storage == .files ? nil : try larder.rowValue(of: key)
            // Where the first place has it, the other one being damaged takes nothing away.
            let file =
                storage == .database ? nil : row == nil ? try larder.fileValue(of: key) : try? larder.fileValue(of: key)
            let feed = storage == nil ? try larder.feed(key) : nil
            return Found(key: key, value: row ?? file, hasOther: row != nil && file != nil, feed: feed)
        } catch {
            throw Trouble(error, folder: folder)
        }
    }
}
