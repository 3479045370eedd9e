import Foundation

extension ResourceRead {
    /// The fetch itself: asks, judges, stores. Runs in the flight's own task, so what came late is stored all the same.
    func operation(_ stored: StoredEntry?) -> @Sendable () async -> Landing {
        let resource = resource
        let core = resource.core
        let asked = Asked(
            stamp: core.stamps.next(at: core.environment.clock.now(), after: stored?.metadata.stamp ?? 0),
            ticket: core.removals.ticket(for: resource.place))
        return core.changes.tracking(.resource(resource.key)) {
            // Validators are of use only with a value to give when nothing has changed.
            let validators = stored?.metadata.validators ?? Validators()
            let reusable = validators.isEmpty ? nil : stored.flatMap { try? resource.decode($0) }
            let request = ResourceRequest(
                key: resource.key.key, validators: reusable == nil ? nil : validators)
            do {
                let fetched = try await withDeadline(resource.options.fetchTimeout, clock: core.environment.clock) {
                    try await resource.fetch(request)
                }
                switch fetched.content {
                case .value(let value, let body):
                    return .success(await Self.keep(value, body: body, of: fetched, asked, in: resource))
                case .notModified:
                    // It speaks of what was stored when it was asked, whatever may have come meanwhile.
                    guard let stored, let reusable else {
                        throw FetchFailure(
                            .wrongAnswer, "the server said that nothing has changed, which was not asked")
                    }
                    return .success(await Self.renew(stored, reusable, by: fetched, asked, in: resource))
                }
            } catch {
                return .failure(.wrapping(error))
            }
        }
    }

    /// When the request was made, and whether the value was removed since.
    private struct Asked: Sendable {
        let stamp: Stamp
        let ticket: Removals.Ticket

        /// When the answer was true at the server, to be on the safe side: the time the request took counts as age
        /// (RFC 9111 section 4.2.3, corrected_age_value).
        func time(of fetched: FetchedValue<Value>) -> Date {
            Date(millisecondsSince1970: stamp.at) - fetched.initialAge
        }
    }

    private static func keep(
        _ value: Value, body: Data?, of fetched: FetchedValue<Value>, _ asked: Asked, in resource: Resource<Value>
    ) async -> Fetched {
        let metadata = EntryMetadata(
            codec: resource.codec.id, stamp: asked.stamp.order, storedAt: asked.time(of: fetched),
            lifetime: fetched.lifetime, validators: fetched.validators)
        return await store(Fetched(value: value, metadata: metadata, source: .network), asked, in: resource) {
            try body ?? resource.codec.encode(value)
        }
    }

    /// A 304 may bring new validators and another lifetime; those it does not repeat still hold (RFC 9111 section 4.3.4).
    private static func renew(
        _ stored: StoredEntry, _ value: Value, by fetched: FetchedValue<Value>, _ asked: Asked,
        in resource: Resource<Value>
    ) async -> Fetched {
        let old = stored.metadata
        let metadata = EntryMetadata(
            codec: old.codec, stamp: asked.stamp.order, storedAt: asked.time(of: fetched),
            lifetime: fetched.lifetime ?? old.lifetime,
            validators: Validators(
                etag: fetched.validators.etag ?? old.validators.etag,
                lastModified: fetched.validators.lastModified ?? old.validators.lastModified))
        return await store(Fetched(value: value, metadata: metadata, source: .revalidated), asked, in: resource) {
            stored.body
        }
    }

    /// A value that cannot be stored is a value all the same: the trouble goes beside it.
    private static func store(
        _ fetched: Fetched, _ asked: Asked, in resource: Resource<Value>, body: () throws -> Data
    ) async -> Fetched {
        var fetched = fetched
        do {
            let entry = StoredEntry(body: try body(), metadata: fetched.metadata)
            if try await !put(entry, asked.ticket, in: resource) { fetched.warnings.append(.superseded) }
            resource.core.changes.post(.resource(resource.key))
        } catch let error as StorageError {
            fetched.warnings.append(.notKept(error))
        } catch {
            let explanation = "the value does not encode by \(resource.codec.id)"
            fetched.warnings.append(.notKept(StorageError(.other, explanation, underlying: error)))
        }
        return fetched
    }

    /// - Returns: Whether the value is stored: something later may be there, or have emptied the place.
    private static func put(
        _ entry: StoredEntry, _ ticket: Removals.Ticket, in resource: Resource<Value>
    ) async throws(StorageError) -> Bool {
        let store = try resource.store()
        guard !ticket.isOutdated else { return false }
        guard try await store.put(entry, for: resource.key) else { return false }
        // A removal may have come between the two.
        guard ticket.isOutdated else { return true }
        if try store.entry(for: resource.key)?.metadata.stamp == entry.metadata.stamp {
            try await store.remove(resource.key)
        }
        return false
    }
}

func - (date: Date, duration: Duration) -> Date {
    Date(millisecondsSince1970: date.millisecondsSince1970 - duration.milliseconds)
}
