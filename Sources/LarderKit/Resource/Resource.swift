import Foundation

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
    public func read(_ policy: ReadPolicy? = nil) async throws(LarderError) -> Reading<Value> {
        try await ResourceRead(resource: self, policy: policy ?? self.policy).run()
    }

    /// What is stored, on the caller's thread and without a request: for the first frame.
    ///
    /// One indexed read and one decode. `nil` is "not stored" and nothing else.
    public func peek() throws(LarderError) -> Reading<Value>? {
        guard let stored = try stored() else { return nil }
        return reading(of: try decode(stored), stored.metadata, .cache, .peeked)
    }

    /// Removes what is stored. An answer that was asked for before does not bring it back, whichever handle of this key
    /// asked for it.
    public func remove() async throws(LarderError) {
        core.flights.detach(key, kind: flightKind)
        core.removals.note(place)
        do throws(StorageError) { try await store().remove(key) } catch { throw LarderError(error) }
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
}

extension Resource {
    func store() throws(StorageError) -> any Store { try core.store(options.storage) }
    var place: Removals.Place { Removals.Place(key: key, storage: options.storage.identity) }
    /// Tells flights apart that bring values to different places under one key.
    var flightKind: String { "resource in \(options.storage.identity)" }
    var now: Date { core.environment.clock.now() }

    func stored() throws(LarderError) -> StoredEntry? {
        do throws(StorageError) { return try store().entry(for: key) } catch { throw LarderError(error) }
    }

    func decode(_ entry: StoredEntry) throws(LarderError) -> Value {
        do throws(UndecodableValue) { return try codec.value(of: entry, key: key.key) } catch {
            throw .undecodable(error, nil)
        }
    }

    func facts(_ entry: StoredEntry) -> StoredFacts {
        StoredFacts(age: now - entry.metadata.storedAt, lifetime: lifetime(entry.metadata))
    }

    private func lifetime(_ metadata: EntryMetadata) -> Duration {
        maxAge ?? metadata.lifetime ?? .zero
    }

    func reading(
        of value: Value, _ metadata: EntryMetadata, _ source: ReadingSource, _ reason: ReadingReason,
        failure: FetchFailure? = nil, warnings: [ReadingWarning] = []
    ) -> Reading<Value> {
        let age = now - metadata.storedAt
        let isJustFetched = source != .cache
        return Reading(
            value: value, source: source, storedAt: metadata.storedAt, age: max(.zero, age),
            isStale: !isJustFetched && !StoredFacts(age: age, lifetime: lifetime(metadata)).isFresh, reason: reason,
            failure: failure, warnings: warnings)
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
