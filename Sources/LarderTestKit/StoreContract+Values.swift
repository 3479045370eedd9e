import Foundation
import LarderKit

extension StoreContract {
    static var valueRules: [Rule] {
        [
            Rule(name: "any bytes come back as they were put, and no bytes at all are a value") { subject in
                let bodies: [(String, Data)] = [
                    ("empty", Data()), ("NUL", Data([0])), ("NUL inside", Data("a\0b".utf8)),
                    ("every byte", Data(0...255)), ("no UTF-8", Data([0xFF, 0xFE, 0xED, 0xA0, 0x80])),
                    ("lone surrogate in JSON", Data(#"{"text":"\ud83d"}"#.utf8)), ("line ends", Data("\r\n\n\r".utf8)),
                    ("a slice", Data(0...255)[100..<200]),
                ]
                for (name, body) in bodies {
                    try await subject.store.put(entry(body), for: StoreKey(key: name))
                }
                for store in try await subject.stores() {
                    for (name, body) in bodies {
                        try require(store, holds: entry(body), for: StoreKey(key: name))
                    }
                }
            },
            Rule(name: "five megabytes come back whole") { subject in
                let large = entry(Data(Array(repeating: Data("0123456789abcdef😀\0".utf8), count: 240_000).joined()))
                let key = StoreKey(key: "large")
                try await subject.store.put(large, for: key)
                for store in try await subject.stores() {
                    try require(store, holds: large, for: key)
                }
            },
            Rule(name: "metadata come back as they were put, to the millisecond") { subject in
                for (number, metadata) in metadata.enumerated() {
                    let entry = StoredEntry(body: Data("\(number)".utf8), metadata: metadata)
                    try await subject.store.put(entry, for: StoreKey(key: "\(number)"))
                }
                for store in try await subject.stores() {
                    for (number, metadata) in metadata.enumerated() {
                        let entry = StoredEntry(body: Data("\(number)".utf8), metadata: metadata)
                        try require(store, holds: entry, for: StoreKey(key: "\(number)"))
                    }
                }
            },
            Rule(name: "a summary tells key, size and metadata of each value") { subject in
                var expected: Set<EntrySummary> = []
                for (number, metadata) in metadata.enumerated() {
                    let key = StoreKey(partition: number.isMultiple(of: 2) ? "" : "ann", key: "\(number)")
                    let body = Data(repeating: 7, count: number * 100)
                    try await subject.store.put(StoredEntry(body: body, metadata: metadata), for: key)
                    expected.insert(EntrySummary(key: key, size: body.count, metadata: metadata).rounded)
                }
                for store in try await subject.stores() {
                    let found = try await store.summaries()
                    try require(found.count == expected.count, "\(found.count) are listed, not \(expected.count)")
                    for summary in found where !expected.contains(summary.rounded) {
                        throw Objection(text: "\(brief(summary.key)) is listed with \(summary.metadata)")
                    }
                }
            },
        ]
    }

    /// Every field in its extremes, and each optional one present and absent.
    private static let metadata: [EntryMetadata] = [
        EntryMetadata(codec: codec, storedAt: noon),
        EntryMetadata(codec: CodecID(name: "json", version: 7), stamp: 1, storedAt: noon + 0.001),
        EntryMetadata(codec: CodecID(name: "json", version: 8), stamp: 1, storedAt: noon),
        EntryMetadata(codec: CodecID(name: "ä\0'", version: -1), stamp: -5, storedAt: noon - 0.001),
        EntryMetadata(codec: codec, stamp: .max, storedAt: Date(timeIntervalSince1970: 0), lifetime: .zero),
        EntryMetadata(
            codec: codec, stamp: .min, storedAt: Date(timeIntervalSince1970: -86_400), lifetime: .seconds(60)),
        EntryMetadata(codec: codec, storedAt: Date(timeIntervalSince1970: 253_402_300_799), lifetime: .milliseconds(1)),
        EntryMetadata(codec: codec, storedAt: noon, lifetime: .seconds(2_147_483_648)),
        EntryMetadata(codec: codec, storedAt: noon, validators: Validators(etag: #"W/"é\""#)),
        EntryMetadata(codec: codec, storedAt: noon, validators: Validators(etag: "")),
        EntryMetadata(
            codec: codec, storedAt: noon, validators: Validators(lastModified: "Thu, 15 Jan 2026 12:00:00 GMT")),
        EntryMetadata(
            codec: codec, storedAt: noon, lifetime: .seconds(1),
            validators: Validators(etag: "\"a\"", lastModified: "Thu, 15 Jan 2026 12:00:00 GMT")),
    ]
}
