import LarderKit
import Synchronization

import struct Foundation.Data

/// Reads a stored body, or a stretch of it, chunk by chunk.
final class StoredBodyReader: BodySource {
    private let shelf: Shelf
    private let body: StoredBody
    /// The bytes that are still to be handed out.
    private let rest: Mutex<Range<Int>>

    init(_ shelf: Shelf, _ body: StoredBody, _ range: Range<Int>) {
        self.shelf = shelf
        self.body = body
        rest = Mutex(range)
        if case .chunks(let id, _) = body { shelf.inUse.begin(id) }
    }

    deinit {
        guard case .chunks(let id, _) = body else { return }
        let leftovers = shelf.inUse.end(id)
        guard !leftovers.isEmpty else { return }
        Task { [shelf] in try? await shelf.storage.remove(leftovers) }
    }

    func next() async throws(FetchFailure) -> Data? {
        let rest = rest.withLock { $0 }
        guard !rest.isEmpty else { return nil }
        let data = try Self.piece(of: body, rest, shelf)
        self.rest.withLock { $0 = (rest.lowerBound + data.count)..<rest.upperBound }
        return data
    }

    func abandon() { rest.withLock { $0 = $0.upperBound..<$0.upperBound } }

    /// The first bytes of a stretch, as far as they lie in one chunk.
    ///
    /// - Throws: Where they have gone meanwhile, for room or by signing out.
    static func piece(of body: StoredBody, _ range: Range<Int>, _ shelf: Shelf) throws(FetchFailure) -> Data {
        switch body {
        case .inline(let data):
            guard range.upperBound <= data.count else { throw gone }
            return data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
        case .chunks(let id, let chunkSize):
            let number = range.lowerBound / chunkSize
            let chunk: Data?
            do throws(LarderError) { chunk = try shelf.chunk(id, number) } catch { throw gone }
            guard let chunk else { throw gone }
            let start = range.lowerBound - number * chunkSize
            let end = min(range.upperBound - number * chunkSize, chunkSize)
            guard end <= chunk.count else { throw gone }
            return chunk[(chunk.startIndex + start)..<(chunk.startIndex + end)]
        }
    }

    private static var gone: FetchFailure {
        FetchFailure(.other, "the rest of a stored body is not stored any more")
    }
}
