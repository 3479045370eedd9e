/// The request itself: given up after a time, made again where that may help, counted, and told to what is known of the
/// network.
struct Asking: Sendable {
    let core: LarderCore
    let origin: String
    let subject: LarderEvent.Subject
    let timeout: Duration
    let retry: RetryPolicy
    /// What the request was allowed by, if it is to find out whether the host is back.
    let probe: HeldProbe?

    /// - Parameter outcome: What is counted of what came.
    func run<Value: Sendable>(
        _ fetch: @escaping @Sendable () async throws -> Value, outcome: (Value) -> LarderEvent.Outcome
    ) async throws -> Value {
        let clock = core.environment.clock
        let value = try await retrying(
            retry, environment: core.environment,
            onRetry: { failure, delay in core.meter.note(.retry(subject, failure.kind, after: delay)) }
        ) {
            core.meter.note(.requestStarted(subject))
            let start = clock.elapsed
            do {
                let value = try await withDeadline(timeout.asWait, clock: clock, fetch)
                let time = clock.elapsed - start
                core.latencies.note(time, of: origin)
                core.network.note(.answered, of: origin, probe: probe?.probe)
                return (value, time)
            } catch {
                let time = clock.elapsed - start
                let failure = FetchFailure.wrapping(error)
                let isGivenUp = Task.isCancelled
                // A request that was given up found out nothing, and its probe is handed back.
                core.network.note(
                    isGivenUp ? .givenUp : RequestOutcome(failure.after(time)), of: origin,
                    probe: isGivenUp ? nil : probe?.probe)
                core.meter.note(
                    .requestEnded(
                        subject, isGivenUp ? .cancelled : .failed(failure.kind), after: time))
                throw failure
            }
        }
        core.meter.note(.requestEnded(subject, outcome(value.0), after: value.1))
        return value.0
    }
}

extension LarderCore {
    /// What the planner is to know of the network, for a read that is about to ask.
    ///
    /// - Parameter probe: Where one request may find out whether a host is back, the permission for it to be this read's.
    func networkFacts(of origin: String, patience: Patience, claiming probe: inout HeldProbe?) -> NetworkFacts {
        var facts = networkFacts(of: origin, patience: patience)
        if case .probeDue(let failure) = facts.standing {
            probe = network.claimProbe(of: origin).map { HeldProbe($0, of: origin, network) }
            if probe == nil { facts.standing = .heldBack(remaining: .zero, failure: failure) }
        }
        return facts
    }

    /// The same for one who only looks.
    func networkFacts(of origin: String, patience: Patience) -> NetworkFacts {
        NetworkFacts(
            isDead: network.isDead, standing: network.standing(of: origin),
            patience: latencies.duration(of: patience, for: origin))
    }

    /// Whether a request that nobody waits for may be made now: with the probe it is to be made with, if it is to find out
    /// whether the host is back. `nil` when the host is left alone, which those who follow are told.
    func permission(toAsk topic: ChangeHub.Topic, of origin: String) -> HeldProbe?? {
        var probe: HeldProbe?
        let facts = networkFacts(of: origin, patience: .standard, claiming: &probe)
        guard case .heldBack(_, let failure) = facts.standing else { return .some(probe) }
        changes.holdBack(topic, failure)
        return nil
    }

    /// An error as a caller meets it; that another process has signed out is taken note of.
    func noticing(_ error: any Error, in partition: PartitionState) -> LarderError {
        if error is SignedOut, !partition.isSignedOut { retire(partition) }
        return LarderError(wrapping: error)
    }

    /// Why a flight brought nothing.
    func failure(of error: any Error, in partition: PartitionState) -> FetchFailure {
        if error is SignedOut, !partition.isSignedOut { retire(partition) }
        return .wrapping(error)
    }
}
