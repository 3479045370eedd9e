import Foundation
import LarderKit

extension StoreContract {
    static var keyRules: [Rule] {
        [
            Rule(name: "a key that was never stored is nil") { subject in
                for name in names {
                    try require(subject.store, holds: nil, for: StoreKey(key: name))
                    try require(subject.store, holds: nil, for: StoreKey(partition: name, key: "plain"))
                }
            },
            Rule(name: "any text is a key, and different texts are different keys") { subject in
                try await keepsApart(names.map { StoreKey(key: $0) }, subject)
            },
            Rule(name: "any text names a partition, and different texts are different partitions") { subject in
                try await keepsApart(names.map { StoreKey(partition: $0, key: "plain") }, subject)
            },
            Rule(name: "partition and key do not run into each other") { subject in
                let pairs = [("a", "b/c"), ("a/b", "c"), ("", "a/b/c"), ("a", "b"), ("b", "a"), ("ab", ""), ("", "ab")]
                try await keepsApart(pairs.map { StoreKey(partition: $0, key: $1) }, subject)
            },
        ]
    }

    /// Stores a value of its own under each key, and finds each again.
    private static func keepsApart(_ keys: [StoreKey], _ subject: Subject) async throws {
        for (number, key) in keys.enumerated() {
            try require(try await subject.store.put(entry("\(number)"), for: key), "\(brief(key)) is not stored")
        }
        for store in try await subject.stores() {
            for (number, key) in keys.enumerated() {
                try require(store, holds: entry("\(number)"), for: key)
            }
            let listed = try await store.summaries().map(\.key)
            try require(listed.count == keys.count, "\(listed.count) values are listed, not \(keys.count)")
            try require(Set(listed) == Set(keys), "other keys are listed than were stored")
        }
    }
}
