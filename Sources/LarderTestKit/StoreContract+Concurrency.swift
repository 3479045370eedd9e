import Foundation
import LarderKit
import Synchronization

extension StoreContract {
    static var concurrencyRules: [Rule] {
        [
            Rule(name: "many tasks store at once, and nothing is lost") { subject in
                let store = subject.store
                try await withThrowingTaskGroup { group in
                    for number in 0..<100 {
                        group.addTask {
                            let key = StoreKey(partition: "\(number % 3)", key: "\(number)")
                            try await store.put(entry("\(number)"), for: key)
                        }
                    }
                    try await group.waitForAll()
                }
                for store in try await subject.stores() {
                    for number in 0..<100 {
                        let key = StoreKey(partition: "\(number % 3)", key: "\(number)")
                        try require(store, holds: entry("\(number)"), for: key)
                    }
                    let count = try await store.summaries().count
                    try require(count == 100, "\(count) of 100 are listed")
                }
            },
            Rule(name: "of many that store under one key at once, the greatest stamp wins") { subject in
                let store = subject.store
                let key = StoreKey(key: "k")
                var random = SplitMix64(seed: 11)
                for _ in 0..<5 {
                    let stamps = (1...40).shuffled(using: &random)
                    try await withThrowingTaskGroup { group in
                        for stamp in stamps {
                            group.addTask { try await store.put(entry("\(stamp)", stamp: Int64(stamp)), for: key) }
                        }
                        for try await _ in group {}
                    }
                    try require(store, holds: entry("40", stamp: 40), for: key)
                    try await store.remove(key)
                }
            },
            Rule(name: "who reads while a value is replaced sees the old one or the new one, whole") { subject in
                try await replacing(subject.store, times: 60)
            },
        ]
    }

    /// Values that differ in every byte and in their length, so that a mixture of two is seen.
    private static func uniform(_ stamp: Int64) -> StoredEntry {
        let body = Data(repeating: UInt8(truncatingIfNeeded: stamp), count: 100_000 + Int(stamp % 7) * 30_000)
        return entry(body, stamp: stamp)
    }

    private final class End: Sendable {
        private let flag = Atomic(false)

        var hasCome: Bool { flag.load(ordering: .acquiring) }

        func come() { flag.store(true, ordering: .releasing) }
    }

    private static func replacing(_ store: any Store, times: Int64) async throws {
        let key = StoreKey(key: "k")
        try await store.put(uniform(0), for: key)
        let end = End()
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    var last: Int64 = 0
                    while !end.hasCome {
                        guard let found = try store.entry(for: key) else { throw Objection(text: "it was gone") }
                        let stamp = found.metadata.stamp
                        try require(found == uniform(stamp), "a mixture of two values was read")
                        try require(stamp >= last, "stamp \(stamp) was read after \(last)")
                        last = stamp
                        await Task.yield()
                    }
                }
            }
            group.addTask {
                defer { end.come() }
                for stamp in 1...times { try await store.put(uniform(stamp), for: key) }
            }
            try await group.waitForAll()
        }
    }
}
