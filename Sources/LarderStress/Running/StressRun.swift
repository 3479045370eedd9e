import Foundation
import LarderKit
import LarderTestKit
import Synchronization

/// A run: many readers over two larders at once, whose accounts come and go, whose servers fail, and whose network flaps.
/// What they are shown is checked all the time, and in the end what lies on disk.
final class StressRun: Sendable {
    let size: StressSize
    let ledger = Ledger()
    let watchdog: Watchdog
    private let isStopped = Atomic(false)

    init(_ size: StressSize) {
        self.size = size
        watchdog = Watchdog(limit: size.hangLimit)
    }

    /// Ends the run before its time; what was done until then counts.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// - Parameter onHang: Told of what has not returned in time; the run does not end then.
    func run(onHang: @escaping @Sendable ([String]) -> Void) async throws -> StressReport {
        let world = try StressWorld(size, ledger: ledger)
        let end = ContinuousClock.now + size.time
        let isOver: @Sendable () -> Bool = { [self] in isStopped.load(ordering: .relaxed) || .now >= end }
        watchdog.begin(onHang)
        defer { watchdog.end() }
        await withTaskGroup { group in
            for number in 0..<size.readers {
                // One in five reads in the larder beside.
                let accounts = world.shops[number % 5 == 4 ? 1 : 0].accounts
                group.addTask { [self] in
                    var reader = Reader(number, of: self, accounts: accounts)
                    await reader.run(until: isOver)
                }
            }
            for (number, account) in world.accounts.enumerated() {
                group.addTask { [self] in await changeAccounts(account, number, until: isOver) }
            }
            group.addTask { [size] in await world.flap(seed: size.seed, until: isOver) }
        }
        await world.settle()
        try world.check()
        try await watchdog.watching("signing out in the end", as: 0) { try await world.signOut() }
        try world.checkEmpty()
        return StressReport(size: size, ledger: ledger, world: world)
    }

    private func changeAccounts(_ account: Account, _ number: Int, until isOver: @Sendable () -> Bool) async {
        var dice = Dice(seed: size.seed, stream: -1 - number)
        while !isOver() {
            try? await Task.sleep(for: dice.milliseconds(size.signedIn / 10...size.signedIn))
            account.look()
            do {
                try await watchdog.watching("signing out of \(account.session.owner)", as: number) {
                    try await account.change(twice: dice.chance(20))
                }
            } catch {
                ledger.violate("signing in failed: \(error)")
            }
        }
    }
}
