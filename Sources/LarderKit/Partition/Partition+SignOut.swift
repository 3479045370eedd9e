import LarderSQLite
import Synchronization

extension Partition {
    /// Removes everything of this partition, in this process and all others, and lets nothing in any more that was asked for
    /// before.
    ///
    /// Requests under way are cancelled, and those who wait for them get ``LarderError/signedOut``, as does every later use
    /// of a handle made before; what is followed ends. Values, lists and files are gone from disk and memory when this returns.
    /// Whoever signs in next makes a new handle (``Larder/partition(_:)``), be it under the same name.
    ///
    /// - Throws: ``LarderError/storage(_:)`` when something could not be removed: call it again. Until then new handles of
    ///   this name are signed out too.
    /// - Complexity: O(what the partition holds).
    public func signOut() async throws(LarderError) {
        let (core, state) = (core, state)
        // Not cancelled with the caller: half of it would be worse than none.
        let result = await Task { () -> Result<Void, LarderError> in
            do {
                try await core.signOut(state)
                return .success(())
            } catch {
                return .failure(LarderError(wrapping: error))
            }
        }.value
        try result.get()
    }
}

extension LarderCore {
    fileprivate func signOut(_ partition: PartitionState) async throws {
        end(partition)
        let isPresent: @Sendable (borrowing Connection) throws -> Bool = { db in
            try PartitionTable.generation(of: partition.name, in: db) == partition.generation
        }
        // What is not in the database goes before the generation does as well: should the process end in between, the next
        // generation would find it.
        if (try? database.withReader(isPresent)) ?? false {
            await ownPuts.settle(in: partition.name)
            for store in otherStores { try? await store.removeAll(in: partition.name) }
        }
        let blobs = try await database.write { db -> [String] in
            // Somebody else has done it already, and somebody may have signed in since.
            guard try isPresent(db) else { return [] }
            let blobs = try PartitionTable.end(partition.name, in: db)
            // To be known to whoever signs out of the same meanwhile.
            partition.isBeingEmptied.store(true, ordering: .releasing)
            return blobs
        }
        sqliteStore.blobs?.remove(blobs)
        if partition.isBeingEmptied.load(ordering: .acquiring) {
            await ownPuts.settle(in: partition.name)
            for store in otherStores { try await store.removeAll(in: partition.name) }
            partition.isBeingEmptied.store(false, ordering: .releasing)
        } else if partitions.isKnown(partition) {
            // Another process was first, which knows nothing of these.
            for store in ownStores { try await store.removeAll(in: partition.name) }
        }
        // What was set aside of a damaged file may hold rows of anybody.
        if let folder { try SetAside(cache: CacheFiles(folder: folder, disk: environment.disk)).removeAll() }
        partitions.forget(partition)
        meter.note(.signedOut)
        await emptyLog()
    }

    /// Rows that were removed may still be read in the log until it is emptied. Nobody is made to wait for that: a reader may
    /// keep it from being done, and where that lasts it is done when the cache is closed.
    private func emptyLog() async {
        for _ in 0..<50 {
            do {
                try await database.checkpoint(.truncate, isPatient: false)
                return
            } catch let error as SQLiteError where error.code.primary == .busy {
                // A nap for a reader of the disk, like those of the busy handler: no time that an app lives by.
                try? await Task.sleep(for: .milliseconds(5))
            } catch {
                return
            }
        }
    }

    /// The state for a new handle of a partition.
    func partitionState(of name: String) -> PartitionState {
        partitions.state(of: name) { outdated in retire(outdated) }
    }

    /// Ends a partition that another process has signed out of, and lets new handles begin anew.
    ///
    /// - Returns: Whether they may now, or only when the app's own stores have been emptied as well.
    @discardableResult
    func retire(_ partition: PartitionState) -> Bool {
        end(partition)
        let stores = ownStores
        guard !stores.isEmpty else {
            partitions.forget(partition)
            return true
        }
        partition.isBeingEmptied.store(true, ordering: .releasing)
        Task {
            await ownPuts.settle(in: partition.name)
            // What cannot be emptied keeps new handles from being of use: they would show it. Signing out tries again.
            for store in stores { try await store.removeAll(in: partition.name) }
            partition.isBeingEmptied.store(false, ordering: .releasing)
            partitions.forget(partition)
        }
        return false
    }

    /// Ends what is in memory of a partition that was signed out of, here or in another process.
    func end(_ partition: PartitionState) {
        guard partition.end() else { return }
        let name = partition.name
        flights.cancel(partition: name)
        changes.end(partition: name)
        decodedFeeds.forgetAll(in: name)
        forgetFeedStates(in: name)
        memoryStore.forgetAll(in: name)
        tier.removeAll(in: name)
    }
}
