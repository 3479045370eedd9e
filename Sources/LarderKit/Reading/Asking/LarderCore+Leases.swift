import Foundation
import LarderSQLite

extension LarderCore {
    /// How often it is looked whether another process has ended its request.
    static let leaseInterval = Duration.milliseconds(50)
    /// How long another process is waited for: it may be suspended in the middle of its request.
    static let leasePatience = Duration.seconds(10)

    /// Asks while no other process on this cache asks for the same thing. A cache that cannot be written to is no reason not to
    /// ask.
    ///
    /// - Parameters:
    ///   - after: What the request's stamp has to be later than.
    ///   - longest: How long the request may take.
    ///   - ask: Asks, and stores what comes.
    ///   - taking: What another process has brought, given the stamp of its request; `nil` when it has brought nothing.
    func leased<R: Sendable>(
        _ place: LeasePlace, isShared: Bool, after: @autoclosure () throws -> Int64, longest: Duration,
        _ subject: LarderEvent.Subject,
        ask: (Lease?) async throws -> R, taking: (Int64) throws -> R?
    ) async throws -> R {
        guard isShared, folder != nil else { return try await ask(nil) }
        let now = environment.clock.now()
        let lease = Lease(place: place, stamp: stamps.next(at: now, after: (try? after()) ?? 0))
        let expires = now.millisecondsSince1970 + longest.milliseconds
        let other: Int64?
        do {
            other = try await database.write { db in
                try LeaseTable.take(
                    place, stamp: lease.stamp.order, now: now.millisecondsSince1970, expires: expires, in: db)
            }
        } catch {
            try Task.checkCancellation()
            return try await ask(nil)
        }
        guard let other else { return try await giving(lease) { try await ask(lease) } }
        try await wait(for: place, stamp: other)
        if let brought = try taking(other) {
            meter.note(.joinedOtherProcess(subject))
            return brought
        }
        // Whoever waited has waited long enough: many processes do not queue up at a server that fails.
        return try await ask(nil)
    }

    private func giving<R>(_ lease: Lease, _ ask: () async throws -> R) async throws -> R {
        do {
            let result = try await ask()
            await giveBack(lease)
            return result
        } catch {
            await giveBack(lease)
            throw error
        }
    }

    /// Also in a task that was cancelled. What cannot be given back now ends by itself.
    private func giveBack(_ lease: Lease) async {
        guard lease.settle() else { return }
        await Task { [database, counters] in
            try? await counters.along { counted in
                try await database.write { db in
                    try lease.release(in: db)
                    try CounterTable.add(counted, in: db)
                }
            }
        }.value
    }

    /// Waits for another process's request to end, if that can be told, and for no longer than one is waited for.
    private func wait(for place: LeasePlace, stamp: Int64) async throws {
        let clock = environment.clock
        let end = clock.elapsed + Self.leasePatience
        while clock.elapsed < end {
            let other = try? database.withReader { db in
                try LeaseTable.underWay(place, now: clock.now().millisecondsSince1970, in: db)
            }
            guard other == stamp else { return }
            try await clock.sleep(for: Self.leaseInterval)
        }
    }
}
