import LarderSQLite

extension Larder {
    /// What trimming would take away now, before it does: the least recently used first, without what is pinned. About: the room
    /// that rows take in the database is only known when they are gone.
    ///
    /// - Parameter bytes: What would be left; unless said otherwise, as much as trimming leaves of the budget.
    /// - Complexity: O(what would go), and O(number of items of feeds that are not pinned), without their bytes.
    public func wouldRemove(trimmingTo bytes: Int? = nil) async throws(StorageError) -> TrimmedAmount {
        guard !core.isClosed else { throw .closed }
        try await core.saveMarks()
        return try await storing {
            try await core.database.scan { [core] db in
                let total = try core.measure(in: db).usage.total
                let target =
                    bytes ?? core.options.budget.bytes.map { total > $0 ? BudgetKeeper.target($0) : $0 } ?? .max
                guard total > target else { return TrimmedAmount() }
                return try TrimRun(core: core).forecast(EvictionPlan(bytes: total - max(0, target)), in: db)
            }
        }
    }
}

extension TrimRun {
    private static func rest(of chunks: [FeedPart.Chunk], without items: Int) -> [FeedPart.Chunk] {
        var items = items
        return chunks.compactMap { chunk in
            let gone = min(items, chunk.items)
            items -= gone
            guard gone < chunk.items else { return nil }
            var chunk = chunk
            chunk.bytes -= chunk.bytes / chunk.items * gone
            chunk.items -= gone
            return chunk
        }
    }

    /// What a plan would take away.
    func forecast(_ plan: EvictionPlan, in db: borrowing Connection) throws -> TrimmedAmount {
        var windows = [try EntryCandidates(partition: partition).window(plan, in: db).map { Subject.entry($0) }]
        windows.append(try Self.files(unpinnedFiles(in: db), limit: .max))
        var counted: [Int64: Int] = [:]
        for part in try FeedPart.all(in: db, partition: partition) {
            // A later part of a feed holds the earlier ones, which have gone by then.
            let chunks = try part.chunks(limit: .max, in: db)
            let rest = Self.rest(of: chunks, without: counted[part.feed] ?? 0)
            windows.append(EvictionPlan.Window(candidates: rest.map(part.candidate)))
            counted[part.feed] = chunks.reduce(0) { $0 + $1.items }
        }
        return plan.chosen(from: windows).reduce(into: TrimmedAmount()) { amount, candidate in
            switch candidate.subject {
            case .entry(let entry):
                amount.values += 1
                amount.bytes += entry.size
            case .file(let file):
                amount.values += 1
                amount.bytes += file.size
            case .chunk(_, let chunk):
                amount.items += chunk.items
                amount.bytes += chunk.bytes
            }
        }
    }
}
