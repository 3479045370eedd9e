import Foundation
import LarderSQLite

/// One value under one key, fetched whole and replaced whole.
///
/// ```swift
/// let profile = me.resource("profile") { try await api.profile() }
/// let reading = try await profile.read()
/// ```
///
/// A handle is a cheap value: two of one key share what is stored and what is under way.
public struct Resource<Value: Sendable>: Sendable {
    let core: LarderCore
    let partition: PartitionState
    let key: StoreKey
    let policy: ReadPolicy
    let maxAge: Duration?
    let options: ResourceOptions
    let codec: Codec<Value>
    let fetch: @Sendable (ResourceRequest) async throws -> FetchedValue<Value>

    /// The value as the policy gives it.
    ///
    /// - Parameter policy: This once, instead of the resource's own.
    /// - Throws: Only when there is nothing to show. What failed beside a value is in the reading.
    /// - Complexity: A fresh value that was lately read costs neither a look at the disk nor a change of threads.
    public nonisolated(nonsending) func read(_ policy: ReadPolicy? = nil) async throws(LarderError) -> Reading<Value> {
        if let reading = recent(policy ?? self.policy) { return reading }
        return try await ResourceRead(resource: self, policy: policy ?? self.policy).run()
    }

    /// What is stored, on the caller's thread and without a request: for the first frame.
    ///
    /// One indexed read and one decode, or none where the value was lately read. `nil` is "not stored" and nothing else.
    public func peek() throws(LarderError) -> Reading<Value>? {
        guard let found = try look() else { return nil }
        return reading(of: try value(of: found), found.metadata, .cache, .peeked)
    }

    /// Stores a value that the app knows to be the present one, since it has just changed it.
    ///
    /// It is shown from now on and asked for again at the next read that asks. An answer that was asked for before does not
    /// replace it.
    ///
    /// - Throws: ``LarderError/storage(_:)`` as well where the resource has raw answers decoded as a type that cannot be encoded.
    public func store(_ value: Value) async throws(LarderError) {
        do {
            try partition.check()
            let stamp = core.stamps.next(at: now, after: try latest())
            let metadata = EntryMetadata(
                codec: codec.id, stamp: stamp.order, storedAt: now, lifetime: EntryMetadata.invalidated)
            let entry = StoredEntry(body: try codec.encode(value), metadata: metadata)
            var admission = admission(of: stamp.order)
            admission.isOfApp = true
            let outcome = try await core.put(entry, for: key, in: options.storage, admission: admission)
            if case .signedOut = outcome { throw SignedOut() }
            detachFlights()
            core.changes.post(.resource(key))
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// Removes what is stored. An answer that was asked for before does not bring it back, whichever handle of this key
    /// asked for it, in whichever process.
    public func remove() async throws(LarderError) {
        do {
            try partition.check()
            let stamp = core.stamps.next(at: now, after: try latest()).order
            try await core.database.write { [partition, key, place] db in
                try partition.check(in: db)
                try FenceTable(partition: key.partition).insert(place, stamp: stamp, in: db)
            }
            detachFlights()
            // What was admitted before lands before, and goes as well.
            await core.ownPuts.settle(key)
            try await store().remove(key)
            core.changes.post(.resource(key))
        } catch {
            throw core.noticing(error, in: partition)
        }
    }
}

/// What a fetch closure brought, in one shape for all of them.
struct FetchedValue<Value: Sendable>: Sendable {
    enum Content: Sendable {
        /// The value, and its bytes where it is not to be encoded: those of a raw answer.
        case value(Value, body: Data?)
        case notModified
    }

    let content: Content
    var validators = Validators()
    var lifetime: Duration?
    var initialAge: Duration = .zero
    var stale = StaleWindows()
    var isNotToBeStored = false
}

extension Resource {
    func store() throws(StorageError) -> any Store { try core.store(options.storage) }

    /// Tells flights apart that bring values to different places under one key.
    var flightKind: String { "resource in \(options.storage.identity)" }

    var flightPlan: FlightMachine.Plan {
        FlightMachine.Plan(
            key: Flights.Key(
                place: key, kind: flightKind, request: nil,
                type: ObjectIdentifier(ResourceRead<Value>.Landing.self), codec: codec.id,
                generation: partition.generation),
            tags: options.tags, origin: options.origin)
    }

    /// Whose requests are judged together.
    var origin: String { options.origin ?? "resource \(key.partition)\0\(key.key)" }

    func asking(_ probe: HeldProbe?) -> Asking {
        Asking(
            core: core, origin: origin, subject: core.meter.subject(.resource, key), timeout: options.fetchTimeout,
            retry: options.retry, probe: probe)
    }

    private func detachFlights() {
        let kind = flightKind
        core.flights.detach { $0.key.place == key && $0.key.kind == kind }
    }

    var now: Date { core.environment.clock.now() }

    func stored() throws(LarderError) -> StoredEntry? {
        if partition.isSignedOut { throw .signedOut }
        do {
            let entry = try store().entry(for: key)
            if entry != nil, case .files = options.storage {
                core.marks.note(.file(key), at: now.millisecondsSince1970)
            }
            try partition.check(after: core.database)
            return entry
        } catch {
            throw core.noticing(error, in: partition)
        }
    }

    /// What a new stamp has to be later than: what is stored, and what the app has said.
    func latest() throws -> Int64 {
        let fence = try core.database.withReader { db in try FenceTable(partition: key.partition).latest(in: db) }
        let stored: EntryMetadata?
        do {
            stored =
                switch options.storage {
                case .database: try core.sqliteStore.metadata(for: key)
                case .files, .memory, .store: try store().entry(for: key)?.metadata
                }
        } catch {
            // What is damaged is replaced, and has no say. What cannot be read at the moment is there all the same: a stamp
            // that is not later than its own would be of no effect.
            guard error.kind == .corrupt else { throw error }
            stored = nil
        }
        return max(stored?.stamp ?? 0, fence)
    }

    var place: Selection { .place(key.key, in: options.storage) }

    func admission(of stamp: Int64, lease: Lease? = nil) -> Admission {
        Admission(
            partition: partition, name: key.key, tags: options.tags, storage: options.storage, stamp: stamp,
            lease: lease)
    }

    func decode(_ entry: StoredEntry) throws(LarderError) -> Value {
        do throws(UndecodableValue) { return try codec.value(of: entry, key: key.key) } catch {
            throw .undecodable(error, nil)
        }
    }

    func facts(_ metadata: EntryMetadata) -> StoredFacts {
        StoredFacts(
            age: now - metadata.storedAt, lifetime: lifetime(metadata), isInvalidated: metadata.isInvalidated)
    }

    private func lifetime(_ metadata: EntryMetadata) -> Duration {
        maxAge ?? metadata.lifetime ?? .zero
    }

    func reading(
        of value: Value, _ metadata: EntryMetadata, _ source: ReadingSource, _ reason: ReadingReason,
        failure: FetchFailure? = nil, warnings: [ReadingWarning] = []
    ) -> Reading<Value> {
        let facts = facts(metadata)
        let isJustFetched = source != .cache
        return Reading(
            value: value, source: source, storedAt: metadata.storedAt, age: max(.zero, facts.age),
            isStale: !isJustFetched && !facts.isFresh, reason: reason, failure: failure, warnings: warnings)
    }
}

extension Codec {
    func value(of entry: StoredEntry, key: String) throws(UndecodableValue) -> Value {
        let stored = entry.metadata.codec
        guard stored.name == id.name else { throw UndecodableValue(key: key, stored: stored, wanted: id) }
        do { return try decode(entry.body, storedBy: stored) } catch {
            throw UndecodableValue(key: key, stored: stored, wanted: id, underlying: error)
        }
    }
}

func - (left: Date, right: Date) -> Duration {
    .milliseconds(left.millisecondsSince1970 - right.millisecondsSince1970)
}
