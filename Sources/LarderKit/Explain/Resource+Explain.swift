import Foundation

extension Resource {
    /// What ``read(_:)`` would do now, and why; nothing of it is done.
    ///
    /// - Throws: When there is no telling: the larder is closed, or the partition was signed out of.
    /// - Complexity: One indexed read and one decode.
    public func explain(_ policy: ReadPolicy? = nil) throws(LarderError) -> Explanation {
        try explain(policy ?? self.policy) { entry throws(LarderError) in _ = try decode(entry) }
    }

    /// - Parameter check: Throws when what is stored does not decode.
    func explain(
        _ policy: ReadPolicy, checking check: (StoredEntry) throws(LarderError) -> Void
    ) throws(LarderError) -> Explanation {
        var entry: StoredEntry?
        var trouble: String?
        var lack: Explanation.Lack?
        do throws(LarderError) {
            entry = try stored()
            if let entry {
                lack = .undecodable
                try check(entry)
            }
            lack = nil
        } catch {
            switch error {
            case .signedOut, .cancelled: throw error
            case .storage(let error) where error.kind == .closed: throw .storage(error)
            default: break
            }
            trouble = error.description
            lack = lack ?? .unreadable
        }
        let read = ResourceRead(resource: self, policy: policy)
        let planner = read.planner(entry?.metadata)
        let facts = core.networkFacts(of: origin, patience: read.patience)
        let plan = read.plan(entry?.metadata) { _ in facts }
        let decision = Explanation.Decision(plan, policy: policy, isStored: entry != nil).lacking(lack, policy: policy)
        return Explanation(
            subject: .resource(storage: options.storage.name), key: key.key,
            stored: entry.map { explained($0) }, trouble: trouble, page: nil, policy: planner.policy,
            patience: facts.patience, staleIfError: planner.staleIfError,
            network: core.network(
                of: origin, named: options.origin, facts, .resource(key), isShared: options.storage.isShared
            ) { $0 == flightKind },
            tags: core.tags(options.tags, of: key), decision: decision)
    }

    private func explained(_ entry: StoredEntry) -> Explanation.Stored {
        let metadata = entry.metadata
        let facts = facts(metadata)
        let served = metadata.isInvalidated ? nil : metadata.lifetime
        return Explanation.Stored(
            bytes: entry.body.count, codec: metadata.codec, storedAt: metadata.storedAt, age: facts.age,
            lifetime: maxAge ?? served ?? .zero,
            lifetimeSource: maxAge != nil ? .app : served != nil ? .server : .none, isFresh: facts.isFresh,
            staleFor: facts.staleFor, isInvalidated: facts.isInvalidated, validators: metadata.validators.names,
            stale: metadata.stale)
    }
}

extension ResourceOptions.Storage {
    fileprivate var name: String {
        if case .store(let store) = self { "\(type(of: store))" } else { identity }
    }
}
