import Foundation
import LarderHTTPCache
import LarderKit

/// The HTTP answers among all that a cache holds.
struct ListedAnswers: Sendable {
    /// By the row's key.
    private(set) var answers: [StoreKey: ListedAnswer] = [:]
    /// The rows that hold parts of bodies, be they an answer's or left over from one.
    private(set) var parts: Set<StoreKey> = []
    /// Parts that no answer needs, and their bytes.
    private(set) var leftOver = (count: 0, bytes: 0)

    init() {}

    /// - Throws: Where the cache cannot be read. An answer that cannot is left among the documents.
    init(_ contents: LarderContents, in larder: Larder, now: Date) throws(StorageError) {
        var sizes: [StoreKey: Int] = [:]
        var rows: [EntrySummary] = []
        for value in contents.values {
            switch AnswerRow(value) {
            case .bodyPart: sizes[value.key] = value.size
            case .answer: rows.append(value)
            case nil: break
            }
        }
        parts = Set(sizes.keys)
        for row in rows {
            guard let found = try Self.read(row, in: larder) else { continue }
            let keys = found.partNames.map { StoreKey(partition: row.key.partition, key: $0) }
            let present = keys.compactMap { sizes.removeValue(forKey: $0) }
            answers[row.key] = ListedAnswer(
                found: found, storedAt: row.metadata.storedAt, usedAt: row.usedAt, isPinned: row.isPinned,
                size: row.size + present.reduce(0, +), isWhole: present.count == keys.count, now: now)
        }
        leftOver = (sizes.count, sizes.values.reduce(0, +))
    }

    private static func read(_ row: EntrySummary, in larder: Larder) throws(StorageError) -> InspectedAnswer? {
        do throws(StorageError) {
            return try larder.rowValue(of: row.key).flatMap {
                InspectedAnswer(StoredEntry(body: $0.body, metadata: row.metadata), as: row.key)
            }
        } catch {
            guard error.kind == .corrupt else { throw error }
            return nil
        }
    }
}
