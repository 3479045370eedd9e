import Foundation
import LarderSQLite

/// How the rows of one table prove that they are as they were written.
struct RowProof: Sendable {
    private enum Body {
        case none
        /// Its sum is combined with the row's.
        case combined(Int)
        /// It has a sum of its own, and lies in a file where `blob` names one.
        case separate(body: Int, size: Int, sum: Int, blob: Int)
    }

    private let tag: RowChecksum.Table
    private let summed: [Int]
    private let checksum: Int
    private let body: Body

    private static let columns: [String: (tag: RowChecksum.Table, names: String)] = [
        "larder_entry": (
            .entry,
            "partition key codec stamp stored_at lifetime etag last_modified while_revalidate if_error size blob body_checksum"
        ),
        "larder_feed": (.feed, "id partition name"),
        "larder_feed_item": (.item, "feed key id codec"),
        "larder_segment": (.segment, "feed low high stamp at lifetime"),
        "larder_edge": (
            .edge, "feed cut stamp kind token position size is_apart is_seam etag last_modified"
        ),
        "larder_envelope": (.envelope, "feed stamp body"),
    ]

    /// `nil` for a table whose rows bear no checksum.
    init?(table: String, columns: [String]) {
        guard let known = Self.columns[table], let checksum = columns.firstIndex(of: "checksum") else { return nil }
        func index(_ name: String) -> Int? { columns.firstIndex(of: name) }
        tag = known.tag
        summed = known.names.split(separator: " ").compactMap { index(String($0)) }
        self.checksum = checksum
        switch (tag, index("body"), index("size"), index("body_checksum"), index("blob")) {
        case (.item, let body?, _, _, _): self.body = .combined(body)
        case (.entry, let body?, let size?, let sum?, let blob?):
            self.body = .separate(body: body, size: size, sum: sum, blob: blob)
        default: body = .none
        }
    }

    func isSound(_ row: [SQLValue]) -> Bool {
        switch body {
        case .none:
            return row[checksum] == .integer(sum(of: row))
        case .combined(let body):
            guard case .blob(let bytes) = row[body] else { return false }
            return row[checksum] == .integer(sum(of: row) ^ bytes.withUnsafeBytes(RowChecksum.ofBody))
        case .separate(let body, let size, let bodySum, let blob):
            guard row[checksum] == .integer(sum(of: row)), case .blob(let bytes) = row[body] else { return false }
            if case .text = row[blob] { return bytes.isEmpty }
            return row[size] == .integer(Int64(bytes.count))
                && row[bodySum] == .integer(bytes.withUnsafeBytes(RowChecksum.ofBody))
        }
    }

    /// What the checksum of a row has to be, its body aside where that has a sum of its own.
    func sum(of row: [SQLValue]) -> Int64 {
        var sum = RowChecksum(tag)
        for column in summed { sum.add(row[column]) }
        return sum.value
    }
}

extension RowChecksum {
    fileprivate mutating func add(_ value: SQLValue) {
        switch value {
        case .null: add(nil as Int64?)
        case .integer(let number): add(number)
        case .text(let text): add(text)
        case .blob(let bytes): bytes.withUnsafeBytes { add(blob: $0) }
        // No column that is summed holds one.
        case .real(let number): add(blob: withUnsafeBytes(of: number) { Array($0) })
        }
    }
}
