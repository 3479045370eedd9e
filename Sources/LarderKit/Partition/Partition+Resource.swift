public import Foundation

extension Partition {
    /// A resource whose fetch closure gives its value.
    ///
    /// - Parameters:
    ///   - key: What the value is stored under in this partition. Any text.
    ///   - maxAge: For how long a value is shown without asking again. Without it, what is stored is asked for again at
    ///     each read, and shown when the network fails or is slow.
    ///   - policy: What to try, in which order; a read may override it.
    ///   - options: Where the value is kept, and limits.
    ///   - codec: How the value becomes bytes.
    ///   - fetch: Asks the server. Whoever reads while it runs waits for the same answer, so that it is not called again
    ///     meanwhile in this process; but for a handle of another codec or storage, after a removal, or when a call that was
    ///     given up goes on by itself.
    public func resource<Value: Codable & Sendable>(
        _ key: String, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst, options: ResourceOptions = .init(),
        codec: Codec<Value> = .json, fetch: @escaping @Sendable () async throws -> Value
    ) -> Resource<Value> {
        resource(key, maxAge: maxAge, policy: policy, options: options, codec: codec) { _ in
            .value(try await fetch())
        }
    }

    /// A resource whose fetch closure is handed the validators of what is stored, and may answer "not modified". Handed
    /// none, it may not: that is a wrong answer.
    public func resource<Value: Codable & Sendable>(
        _ key: String, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst, options: ResourceOptions = .init(),
        codec: Codec<Value> = .json, fetch: @escaping @Sendable (ResourceRequest) async throws -> Answer<Value>
    ) -> Resource<Value> {
        Resource(
            core: core, partition: state, key: self.key(key), policy: policy, maxAge: maxAge, options: options,
            codec: codec
        ) {
            switch try await fetch($0) {
            case .notModified:
                return FetchedValue(content: .notModified)
            case .value(let value, let validators, let maxAge):
                // Below zero is what only the app itself says of a stored value.
                return FetchedValue(
                    content: .value(value, body: nil), validators: validators, lifetime: maxAge.map { max($0, .zero) })
            }
        }
    }

    /// A resource whose fetch closure gives the server's answer as it came. The form to recommend: Larder judges status
    /// and content type, takes validators and freshness from the headers, and keeps the bytes.
    public func resource<Value: Decodable & Sendable>(
        _ key: String, decoding: Value.Type, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst,
        options: ResourceOptions = .init(), fetch: @escaping @Sendable (ResourceRequest) async throws -> RawAnswer
    ) -> Resource<Value> {
        resource(key, raw: .servedOrStoredJSON, isJSONDue: true, maxAge, policy, options, fetch)
    }

    /// The same, for the bytes themselves.
    ///
    /// With `expecting: .json`, anything else that comes is refused and replaces nothing.
    public func bytes(
        _ key: String, expecting content: ExpectedContent = .anything, maxAge: Duration? = nil,
        policy: ReadPolicy = .cacheFirst, options: ResourceOptions = .init(),
        fetch: @escaping @Sendable (ResourceRequest) async throws -> RawAnswer
    ) -> Resource<Data> {
        resource(key, raw: .served, isJSONDue: content == .json, maxAge, policy, options, fetch)
    }

    private func resource<Value: Sendable>(
        _ key: String, raw codec: Codec<Value>, isJSONDue: Bool, _ maxAge: Duration?, _ policy: ReadPolicy,
        _ options: ResourceOptions, _ fetch: @escaping @Sendable (ResourceRequest) async throws -> RawAnswer
    ) -> Resource<Value> {
        let clock = core.environment.clock
        return Resource(
            core: core, partition: state, key: self.key(key), policy: policy, maxAge: maxAge, options: options,
            codec: codec
        ) {
            let answer = try await fetch($0)
            let freshness = AnswerFreshness(answer.headers)
            let content: FetchedValue<Value>.Content
            switch AnswerVerdict(answer, isJSONDue: isJSONDue, now: clock.now()) {
            case .failure(let failure):
                throw failure
            case .notModified:
                content = .notModified
            case .value:
                content = .value(try decode(answer.body, by: codec, isJSONDue: isJSONDue), body: answer.body)
            }
            return FetchedValue(
                content: content, validators: Validators(answer.headers), lifetime: freshness.lifetime,
                initialAge: freshness.initialAge, stale: freshness.stale, isNotToBeStored: freshness.isNotToBeStored)
        }
    }
}

/// What the bytes of an answer are to be.
public enum ExpectedContent: Sendable, Hashable {
    case anything
    case json
}

/// A body that does not decode is a wrong answer, and never replaces a good value.
private func decode<Value>(_ body: Data, by codec: Codec<Value>, isJSONDue: Bool) throws(FetchFailure) -> Value {
    do {
        if isJSONDue { try JSONSplitter.validate(body) }
        return try codec.decode(body)
    } catch let error as JSONSplitError {
        throw FetchFailure(.wrongAnswer, error.description)
    } catch {
        throw FetchFailure(.wrongAnswer, "the answer does not decode as \(Value.self)")
    }
}
