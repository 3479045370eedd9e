import Foundation
import LarderKit

/// How a cache has done, and how much it holds. ``lines(terminal:)`` is for people, ``json`` for programs.
struct CacheStatistics: Sendable {
    /// What is held for one account.
    struct Account: Sendable, Hashable {
        /// Empty for what belongs to nobody.
        let partition: String
        var documents = 0
        var feeds = 0
        var items = 0
        var gaps = 0
        /// The bytes of documents and items.
        var size = 0
    }

    let folder: URL
    let sizes: CacheFolder.Sizes
    let totals: Metrics
    let accounts: [Account]
    /// How often each account was signed out of.
    let signOuts: [String: Int]
    /// How many rows and files cannot be read.
    let damaged: Int
    let usage: StorageUsage

    init(
        folder: URL, sizes: CacheFolder.Sizes, totals: Metrics, contents: LarderContents, usage: StorageUsage,
        signOuts: [String: Int]
    ) {
        self.usage = usage
        damaged = contents.damaged
        self.folder = folder
        self.sizes = sizes
        self.totals = totals
        self.signOuts = signOuts
        var accounts: [String: Account] = [:]
        for document in contents.values {
            let name = document.key.partition
            accounts[name, default: Account(partition: name)].documents += 1
            accounts[name]?.size += document.size
        }
        for feed in contents.feeds {
            let name = feed.partition
            accounts[name, default: Account(partition: name)].feeds += 1
            accounts[name]?.items += feed.items
            accounts[name]?.gaps += feed.gaps.count
            accounts[name]?.size += feed.size
        }
        self.accounts = accounts.values.sorted { $0.partition < $1.partition }
    }
}

extension CacheStatistics {
    /// Of all that was shown or fetched, what came from the cache without an answer; `nil` when there was nothing.
    var hitRate: Double? { Self.share(of: hits, in: hits + totals.revalidated + totals.fetched) }

    /// Of all bytes that were shown, those that were not transferred.
    var savedRate: Double? { Self.share(of: totals.bytesSaved, in: totals.bytesSaved + totals.bytesReceived) }

    private var hits: Int { totals.hits + totals.staleHits }

    private static func share(of part: Int, in whole: Int) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }

    var json: JSONText {
        .object([
            ("folder", .string(folder.path)),
            ("size", .number(sizes.all)),
            ("databaseSize", .number(sizes.database)),
            ("logSize", .number(sizes.log)),
            ("filesSize", .number(sizes.files)),
            ("usage", usage.json),
            ("damaged", .number(damaged)),
            ("totals", .object(totalMembers)),
            ("hitRate", hitRate.json(JSONText.rate)),
            ("savedRate", savedRate.json(JSONText.rate)),
            ("partitions", .array(accounts.map(json))),
            (
                "signedOut",
                .array(
                    signOuts.sorted { $0.key < $1.key }.map {
                        .object([("partition", .string($0.key)), ("times", .number($0.value))])
                    })
            ),
        ])
    }

    private var totalMembers: [(name: String, value: JSONText)] {
        let failures = totals.failures.sorted { $0.key < $1.key }.map { ($0.key, JSONText.number($0.value)) }
        return Metrics.counters.map { ($0.name, .number(totals[keyPath: $0.path])) } + [("failures", .object(failures))]
    }

    private func json(_ account: Account) -> JSONText {
        .object([
            ("partition", .string(account.partition)),
            ("resources", .number(account.documents)),
            ("feeds", .number(account.feeds)),
            ("items", .number(account.items)),
            ("gaps", .number(account.gaps)),
            ("size", .number(account.size)),
        ])
    }
}
