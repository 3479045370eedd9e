import Foundation
import LarderKit

extension StoreContract {
    static var orderRules: [Rule] {
        [
            Rule(name: "a later value replaces an earlier one, metadata and all") { subject in
                let key = StoreKey(key: "k")
                let first = StoredEntry(
                    body: Data("a long first value".utf8),
                    metadata: EntryMetadata(
                        codec: CodecID(name: "one", version: 1), stamp: 1, storedAt: noon, lifetime: .seconds(60),
                        validators: Validators(etag: "\"1\"", lastModified: "x")))
                let second = StoredEntry(
                    body: Data("second".utf8),
                    metadata: EntryMetadata(codec: CodecID(name: "two", version: 2), stamp: 2, storedAt: noon + 1))
                try await subject.store.put(first, for: key)
                try require(try await subject.store.put(second, for: key), "the later value is said not to be stored")
                for store in try await subject.stores() {
                    try require(store, holds: second, for: key)
                    try require(try await store.summaries().count == 1, "both values are listed")
                }
            },
            Rule(name: "a value never replaces one with a greater stamp, and put says so") { subject in
                let key = StoreKey(key: "k")
                for (stored, late) in [(2, 1), (0, -1), (.max, .max - 1), (1, .min)] as [(Int64, Int64)] {
                    try await subject.store.remove(key)
                    try await subject.store.put(entry("stored", stamp: stored), for: key)
                    for store in try await subject.stores() {
                        let isStored = try await store.put(entry("late", stamp: late), for: key)
                        try require(!isStored, "stamp \(late) is said to replace \(stored)")
                        try require(store, holds: entry("stored", stamp: stored), for: key)
                    }
                }
            },
            Rule(name: "a value may replace one with the same stamp") { subject in
                let key = StoreKey(key: "k")
                try await subject.store.put(entry("first", stamp: 5), for: key)
                let isStored = try await subject.store.put(entry("second", stamp: 5), for: key)
                try require(isStored, "it is said not to be stored")
                try require(subject.store, holds: entry("second", stamp: 5), for: key)
            },
            Rule(name: "stamps of different keys and partitions have nothing to do with each other") { subject in
                try await subject.store.put(entry("late", stamp: 9), for: StoreKey(key: "k"))
                for key in [StoreKey(key: "other"), StoreKey(partition: "ann", key: "k")] {
                    try await subject.store.put(entry("early", stamp: 1), for: key)
                    try require(subject.store, holds: entry("early", stamp: 1), for: key)
                }
            },
        ]
    }

    static var removalRules: [Rule] {
        [
            Rule(name: "what is removed is gone, and nothing else is") { subject in
                let keys = names.map { StoreKey(key: $0) }
                for key in keys { try await subject.store.put(entry("v", stamp: 9), for: key) }
                for (number, key) in keys.enumerated() where number.isMultiple(of: 2) {
                    try await subject.store.remove(key)
                }
                for store in try await subject.stores() {
                    for (number, key) in keys.enumerated() {
                        let isRemoved = number.isMultiple(of: 2)
                        try require(store, holds: isRemoved ? nil : entry("v", stamp: 9), for: key)
                    }
                }
            },
            Rule(name: "removing what is not there is no error") { subject in
                for name in names {
                    try await subject.store.remove(StoreKey(partition: name, key: name))
                    try await subject.store.removeAll(in: name)
                }
                try require(try await subject.store.summaries().isEmpty, "something is listed")
            },
            Rule(name: "a removed value leaves no stamp behind") { subject in
                let key = StoreKey(key: "k")
                try await subject.store.put(entry("late", stamp: 9), for: key)
                try await subject.store.remove(key)
                try require(try await subject.store.put(entry("early", stamp: 1), for: key), "it is not stored")
                try require(subject.store, holds: entry("early", stamp: 1), for: key)
            },
            Rule(name: "removing a partition touches that partition alone") { subject in
                let partitions = names
                for partition in partitions {
                    for key in ["a", "b"] {
                        try await subject.store.put(entry("v"), for: StoreKey(partition: partition, key: key))
                    }
                }
                for (number, partition) in partitions.enumerated() where number.isMultiple(of: 2) {
                    try await subject.store.removeAll(in: partition)
                }
                for store in try await subject.stores() {
                    for (number, partition) in partitions.enumerated() {
                        for key in ["a", "b"] {
                            let isRemoved = number.isMultiple(of: 2)
                            let key = StoreKey(partition: partition, key: key)
                            try require(store, holds: isRemoved ? nil : entry("v"), for: key)
                        }
                    }
                }
            },
        ]
    }
}
