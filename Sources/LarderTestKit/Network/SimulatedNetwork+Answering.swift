public import LarderKit

extension SimulatedNetwork {
    /// What the network makes of a request for a resource.
    ///
    /// - Parameters:
    ///   - request: What the fetch closure was told; its validators go with the request.
    ///   - server: What the server would say. It is not asked where the request does not reach it.
    /// - Throws: `FetchFailure` as a transport would have it; what `server` throws; `CancellationError` in a task that is
    ///   cancelled while the answer is on its way.
    public func answer(
        to request: ResourceRequest, _ server: @Sendable () async throws -> RawAnswer
    ) async throws -> RawAnswer {
        try await raw(request.validators, server)
    }

    /// What the network makes of a request for a page.
    public func answer(
        to request: PageRequest, _ server: @Sendable () async throws -> RawAnswer
    ) async throws -> RawAnswer {
        try await raw(request.validators, server)
    }

    /// What the network makes of a request without validators.
    public func answer(_ server: @Sendable () async throws -> RawAnswer) async throws -> RawAnswer {
        try await raw(nil, server)
    }

    /// The same for a closure that decodes by itself: what is no answer of its server is thrown as a failure.
    public func answer<Value: Sendable>(_ server: @Sendable () async throws -> Value) async throws -> Value {
        try await typed(nil, server) { $0 }
    }

    /// The same for a closure that may answer "not modified".
    public func answer<Value: Sendable>(
        to request: ResourceRequest, _ server: @Sendable () async throws -> Answer<Value>
    ) async throws -> Answer<Value> {
        let asked = request.validators
        return try await typed(asked, server) { answer in
            guard let asked, case .value(_, let own, _) = answer, own.match(asked) else { return answer }
            return .notModified
        }
    }

    private func raw(
        _ validators: Validators?, _ server: @Sendable () async throws -> RawAnswer
    ) async throws -> RawAnswer {
        try await carry(validators) { course in
            switch course {
            case .arrives: try await server()
            case .arrivesUnlessModified: try await server().unlessMatching(validators)
            case .isCut(let count): try await server().cut(afterBytes: count)
            case .isAnsweredInstead(let answer): answer
            case .fails(let failure): throw failure
            case .isHeldForEver: try await Self.holdForEver()
            }
        }
    }

    private func typed<Value: Sendable>(
        _ validators: Validators?, _ server: @Sendable () async throws -> Value,
        unlessModified: @Sendable (Value) -> Value
    ) async throws -> Value {
        try await carry(validators) { course in
            switch course {
            case .arrives: try await server()
            case .arrivesUnlessModified: unlessModified(try await server())
            case .isCut:
                _ = try await server()
                throw FetchFailure.cutBody
            case .isAnsweredInstead(let answer): throw answer.failure(now: clock.now())
            case .fails(let failure): throw failure
            case .isHeldForEver: try await Self.holdForEver()
            }
        }
    }

    private static func holdForEver() async throws -> Never {
        try await Gate().wait()
        throw CancellationError()
    }
}
