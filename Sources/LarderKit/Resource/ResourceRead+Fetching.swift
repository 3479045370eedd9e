import Foundation
import LarderSQLite

extension ResourceRead {
    /// The fetch itself: asks, judges, stores. Runs in the flight's own task, so what came late is stored all the same.
    ///
    /// - Parameter seen: The stamp of what was stored when it was decided to ask; `nil` to ask in any case. What has come since
    ///   then, by whomever, need not be asked for again.
    func operation(_ probe: HeldProbe?, seen: Int64?) -> @Sendable () async -> Landing {
        let resource = resource
        let core = resource.core
        let subject = subject
        return core.changes.tracking(.resource(resource.key)) {
            do {
                try resource.partition.check()
                return try await core.leased(
                    .resource(resource.key), isShared: resource.options.storage.isShared,
                    after: (try? resource.latest()) ?? 0, longest: resource.options.longestFetch, subject
                ) { lease in
                    if let seen, seen < .max, let brought = Self.brought(since: seen + 1, to: resource) {
                        return brought
                    }
                    return .success(try await Self.fetch(resource, lease, probe))
                } taking: { stamp in
                    Self.brought(since: stamp, to: resource)
                }
            } catch {
                return .failure(core.failure(of: error, in: resource.partition))
            }
        }
    }

    /// What somebody else has just fetched and stored, if they have, in a form that this one reads.
    private static func brought(since stamp: Int64, to resource: Resource<Value>) -> Landing? {
        guard let stored = try? resource.stored(), stored.metadata.stamp >= stamp, !stored.metadata.isInvalidated,
            let value = try? resource.decode(stored)
        else { return nil }
        // It may be about to be removed, or marked as changed.
        let admission = resource.admission(of: stored.metadata.stamp)
        guard case .admitted? = try? resource.core.database.withReader({ db in try admission.verdict(in: db) }) else {
            return nil
        }
        return .success(Fetched(value: value, metadata: stored.metadata, source: .network))
    }

    private static func fetch(
        _ resource: Resource<Value>, _ lease: Lease?, _ probe: HeldProbe?
    ) async throws -> Fetched {
        // Before what is stored is looked at: what the app stores after that is later than this request.
        let stamp =
            lease?.stamp ?? resource.core.stamps.next(at: resource.now, after: (try? resource.latest()) ?? 0)
        // What cannot be read is replaced. Validators are of use only with a value to give when nothing has changed.
        let stored = try? resource.stored()
        let validators = stored?.metadata.validators ?? Validators()
        let reusable = validators.isEmpty ? nil : stored.flatMap { try? resource.decode($0) }
        let request = ResourceRequest(key: resource.key.key, validators: reusable == nil ? nil : validators)
        let asked = Asked(resource: resource, stamp: stamp, lease: lease)
        do {
            let fetched = try await resource.asking(probe).run {
                try await resource.fetch(request)
            } outcome: {
                $0.outcome(stored: stored)
            }
            switch fetched.content {
            case .value(let value, let body):
                return try await asked.keep(value, body: body, of: fetched)
            case .notModified:
                // It speaks of what was stored when it was asked, whatever may have come meanwhile.
                guard let stored, let reusable else {
                    throw FetchFailure(
                        .wrongAnswer, "the server said that nothing has changed, which was not asked")
                }
                return try await asked.renew(stored, reusable, by: fetched)
            }
        } catch let failure as FetchFailure {
            if case .gone = failure.kind, !failure.isOfAnother { await asked.drop() }
            throw failure
        }
    }

    /// A request that was made: what it brings is stored in its name.
    private struct Asked: Sendable {
        let resource: Resource<Value>
        let stamp: Stamp
        let lease: Lease?

        /// When the answer was true at the server, to be on the safe side: the time the request took counts as age
        /// (RFC 9111 section 4.2.3, corrected_age_value).
        private func time(of fetched: FetchedValue<Value>) -> Date {
            Date(millisecondsSince1970: stamp.at) - fetched.initialAge
        }

        func keep(_ value: Value, body: Data?, of fetched: FetchedValue<Value>) async throws(SignedOut) -> Fetched {
            let metadata = EntryMetadata(
                codec: resource.codec.id, stamp: stamp.order, storedAt: time(of: fetched),
                lifetime: fetched.lifetime, validators: fetched.validators, stale: fetched.stale)
            let landed = Fetched(value: value, metadata: metadata, source: .network)
            // What was stored before stays, as of its own time.
            if fetched.isNotToBeStored, resource.options.serverRules == .binding { return landed }
            return try await store(landed) { try body ?? resource.codec.encode(value) }
        }

        /// A 304 may bring new validators and another lifetime; those it does not repeat still hold (RFC 9111 section
        /// 4.3.4).
        func renew(
            _ stored: StoredEntry, _ value: Value, by fetched: FetchedValue<Value>
        ) async throws(SignedOut) -> Fetched {
            let old = stored.metadata
            let metadata = EntryMetadata(
                codec: old.codec, stamp: stamp.order, storedAt: time(of: fetched),
                lifetime: fetched.lifetime ?? (old.isInvalidated ? nil : old.lifetime),
                validators: Validators(
                    etag: fetched.validators.etag ?? old.validators.etag,
                    lastModified: fetched.validators.lastModified ?? old.validators.lastModified),
                stale: fetched.stale == StaleWindows() ? old.stale : fetched.stale)
            return try await store(Fetched(value: value, metadata: metadata, source: .revalidated)) { stored.body }
        }

        /// The server has no such thing any more, so there is nothing to show in its place, now or offline, nor what was asked
        /// for before. What came later stays.
        func drop() async {
            let (key, place, partition) = (resource.key, resource.place, resource.partition)
            do {
                try await resource.core.database.write { [stamp] db in
                    try partition.check(in: db)
                    try FenceTable(partition: key.partition).insert(place, stamp: stamp.order, in: db)
                }
                try await resource.store().remove(key, askedForUpTo: stamp.order)
                resource.core.changes.post(.resource(key))
            } catch {
                // It is dropped when the server says so again.
            }
        }

        /// A value that cannot be stored is a value all the same: the trouble goes beside it.
        private func store(_ fetched: Fetched, body: () throws -> Data) async throws(SignedOut) -> Fetched {
            var fetched = fetched
            let core = resource.core
            let subject = core.meter.subject(.resource, resource.key)
            do {
                let entry = StoredEntry(body: try body(), metadata: fetched.metadata)
                let mark = core.database.commitMark
                let outcome = try await core.put(
                    entry, for: resource.key, in: resource.options.storage,
                    admission: resource.admission(of: stamp.order, lease: lease))
                switch outcome {
                case .stored:
                    if case .database = resource.options.storage {
                        resource.keepDecoded(fetched.value, fetched.metadata, size: entry.body.count, at: mark)
                    }
                case .superseded:
                    core.meter.note(.superseded(subject))
                    fetched.warnings.append(.superseded)
                case .signedOut:
                    throw SignedOut()
                }
                core.changes.post(.resource(resource.key))
            } catch let error as SignedOut {
                throw error
            } catch let error as StorageError {
                core.meter.note(.notKept(subject))
                fetched.warnings.append(.notKept(error))
            } catch {
                core.meter.note(.notKept(subject))
                let explanation = "the value does not encode by \(resource.codec.id)"
                fetched.warnings.append(.notKept(StorageError(.other, explanation, underlying: error)))
            }
            return fetched
        }
    }
}

extension FetchedValue {
    /// What a request is counted as.
    fileprivate func outcome(stored: StoredEntry?) -> LarderEvent.Outcome {
        switch content {
        case .value(_, let body): .value(bytes: body?.count ?? 0)
        case .notModified: .notModified(bytesSaved: stored?.body.count ?? 0)
        }
    }
}

extension ResourceOptions {
    /// How long a fetch takes at most, with all that is asked again.
    var longestFetch: Duration { fetchTimeout.asWait + (retry.attempts > 1 ? retry.budget : .zero) }
}

extension ResourceOptions.Storage {
    /// Whether what is stored here is seen by other processes on the same cache.
    var isShared: Bool {
        switch self {
        case .database, .files: true
        case .memory, .store: false
        }
    }
}

func - (date: Date, duration: Duration) -> Date {
    Date(millisecondsSince1970: date.millisecondsSince1970 - duration.milliseconds)
}
