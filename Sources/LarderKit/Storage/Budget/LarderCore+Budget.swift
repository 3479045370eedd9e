import Foundation
import LarderSQLite

extension LarderCore {
    /// Throws where a value has no room, however much is trimmed for it: then nothing is.
    ///
    /// - Parameter key: What it would take the place of; `nil` where it takes nothing's.
    func admit(_ size: Int, in place: StoreKey? = nil) async throws(StorageError) {
        guard let budget = options.budget.bytes else { return try admitToPartition(size) }
        guard size <= budget else { throw .overBudget(size, budget: budget) }
        try admitToPartition(size)
        // What is small against the budget is not looked at before anything is known.
        let latest = keeper.latest.flatMap { $0.fixed > 0 ? $0 : nil }
        guard latest != nil || size > BudgetKeeper.step(budget) / 2 else { return }
        if let latest, size <= latest.room { return }
        let exact = try await measured()
        let replaced = try storing { try database.withReader { db in try pinnedSize(of: place, in: db) } }
        guard size <= exact.room + replaced else { throw .overBudget(size, budget: budget, exact) }
    }

    private func admitToPartition(_ size: Int) throws(StorageError) {
        guard let budget = options.budget.bytesPerPartition, size > budget else { return }
        throw .overBudget(size, budget: budget)
    }

    /// The bytes of what a pinned value would take the place of.
    private func pinnedSize(of place: StoreKey?, in db: borrowing Connection) throws -> Int {
        guard let place, try PinTable.contains(place, in: db) else { return 0 }
        return try db.withStatement("SELECT size FROM larder_entry WHERE partition = ?1 AND key = ?2") { statement in
            try statement.bind(place.partition, at: 1)
            try statement.bind(place.key, at: 2)
            return try statement.step() ? Int(clamping: max(0, try statement.row.readableInt64(0) ?? 0)) : 0
        }
    }

    /// Takes note of what was written. Who has written beyond the budget waits until it is kept again.
    func wrote(_ bytes: Int, in partition: String) async {
        switch keeper.note(bytes, in: partition) {
        case .enough:
            return
        case .look:
            keeper.start { [weak self] in await self?.keepBudget() }
        case .over:
            // A run that was under way may have begun before this was written.
            for _ in 0..<3 where keeper.isOver {
                await keeper.start { [weak self] in await self?.keepBudget() }.value
            }
        }
    }

    /// Keeps the budget as well as that can be done now.
    func keepBudget() async {
        _ = try? await trimToBudget()
    }

    /// Measures the cache, and trims what is over its budget.
    ///
    /// - Parameter isThorough: What was not used for too long goes as well, and nothing is left to be done at the next write.
    @discardableResult
    func trimToBudget(isThorough: Bool = false) async throws(StorageError) -> TrimmedAmount {
        do throws(StorageError) { return try await trimNow(isThorough: isThorough) } catch {
            // What cannot be trimmed now is trimmed after another write; until then nobody waits for it.
            if let latest = keeper.latest { keeper.noteMeasured(latest, since: keeper.written, isStuck: true) }
            throw error
        }
    }

    private func trimNow(isThorough: Bool) async throws(StorageError) -> TrimmedAmount {
        var amount = TrimmedAmount()
        try await saveMarks(isTrimming: true)
        let latest = try await measured()
        let limit = options.budget.bytes ?? .max
        let unusedSince =
            options.budget.unusedFor.map {
                environment.clock.now().millisecondsSince1970 - $0.milliseconds
            } ?? .min
        var isStuck = false
        let soft = limit - BudgetKeeper.step(limit) / 2
        if latest.usage.total > soft || isThorough && unusedSince > .min {
            let run = TrimRun(core: self, unusedSince: unusedSince)
            let target = BudgetKeeper.target(limit)
            let result = try await run.run(
                excess: latest.usage.total > soft ? latest.usage.total - target : 0, inUse: latest.usage.database)
            amount += result.amount
            isStuck = result.left > 0
        }
        for (partition, size) in latest.partitions {
            guard let most = options.budget.bytesPerPartition, size > most else { continue }
            let run = TrimRun(core: self, partition: partition.partition)
            amount += try await run.run(
                excess: size - BudgetKeeper.target(most), inUse: latest.usage.database
            ).amount
        }
        if !amount.isEmpty {
            try await measured(isStuck: isStuck)
            try await giveBackSpace(keeping: database.configuration.pageSize << 8)
            noteForIdle()
        }
        return amount
    }
}

extension BudgetKeeper.Measurement {
    /// How large a value may be at most, with everything trimmed that may go.
    var room: Int { (usage.budget.bytes ?? .max) - fixed - usage.pinned }
}

extension StorageError {
    static func overBudget(_ size: Int, budget: Int, _ latest: BudgetKeeper.Measurement? = nil) -> StorageError {
        let rest =
            latest.map {
                ", of which \($0.usage.pinned) are pinned and \($0.fixed) are the empty database's"
            } ?? ""
        return StorageError(
            .overBudget, "a value of \(size) bytes has no room in a cache of \(budget) bytes\(rest).",
            nextStep: "Allow the cache more (LarderOptions.budget), or unpin something.")
    }
}
