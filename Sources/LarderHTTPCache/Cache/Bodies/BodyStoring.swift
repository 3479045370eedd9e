import LarderKit

import struct Foundation.Data
import struct Foundation.UUID

/// Stores the bytes of one body as they come, a chunk in memory at a time.
struct BodyStoring: Sendable {
    private let shelf: Shelf
    private let stamp: Int64
    private let id = UUID().uuidString
    private var pending = Data()
    private var chunkCount = 0
    private(set) var size = 0
    /// The most that is stored of one body.
    private let limit: Int
    private let isOwn: Bool

    /// - Parameter isOwn: Whether it is of an answer for one client alone.
    init(_ shelf: Shelf, stamp: Int64, limit: Int, isOwn: Bool) {
        self.isOwn = isOwn
        self.shelf = shelf
        self.stamp = stamp
        self.limit = limit
    }

    /// How many bytes lie on the disk already.
    var stored: Int { chunkCount * StoredBody.chunkSize }

    /// Where they lie, and will lie.
    var place: StoredBody { .chunks(id: id, chunkSize: StoredBody.chunkSize) }

    /// Takes the next bytes.
    ///
    /// - Throws: When no more can be stored of this body.
    mutating func take(_ data: Data) async throws(LarderError) {
        size += data.count
        guard size <= limit else {
            throw .storage(
                StorageError(.overBudget, "an answer of more than \(limit) bytes is not stored in this cache"))
        }
        pending.append(data)
        while pending.count >= StoredBody.chunkSize {
            let chunk = Data(pending.prefix(StoredBody.chunkSize))
            try await shelf.putChunk(chunk, id: id, number: chunkCount, stamp: stamp, isOwn: isOwn)
            chunkCount += 1
            pending = Data(pending.dropFirst(StoredBody.chunkSize))
        }
    }

    /// The body is whole.
    mutating func end() async throws(LarderError) -> StoredBody {
        if chunkCount == 0, pending.count <= StoredBody.inlineLimit { return .inline(pending) }
        if !pending.isEmpty {
            try await shelf.putChunk(pending, id: id, number: chunkCount, stamp: stamp, isOwn: isOwn)
            chunkCount += 1
        }
        return place
    }

    /// It is not to be stored after all.
    func undo() async {
        guard chunkCount > 0 else { return }
        // What cannot be removed now goes when room is needed.
        try? await shelf.storage.remove((0..<chunkCount).map { AnswerNames.chunk(id, $0) })
    }
}
