import Foundation
import LarderKit
import LarderTestKit
import Synchronization

/// A cache on disk in a world whose time is the case's.
///
/// Time moves only when nothing goes on any more that does not wait for it: from one sleeper's end to the next.
final class ScenarioWorld {
    let clock: ManualClock
    let connectivity: ManualConnectivity
    let folder: URL
    private(set) var larder: Larder
    private let environment: LarderEnvironment
    private let network: any ScenarioNetwork
    /// For so many rounds nothing may change where nothing is known to go on.
    private let leastCalm: Int
    /// Those that have no answer yet.
    private var calls: [PendingCall] = []

    init(
        clock: ManualClock, connectivity initial: Connectivity = .online, network: any ScenarioNetwork,
        leastCalm: Int = 4
    ) throws {
        self.leastCalm = leastCalm
        self.clock = clock
        connectivity = ManualConnectivity(initial)
        environment = TestWorld(clock: clock, connectivity: connectivity).environment
        self.network = network
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("larder-scenario-\(UUID().uuidString)", isDirectory: true)
        larder = try Larder(.folder(folder), environment: environment)
    }

    /// Closes the cache and opens the folder again, as a new process would.
    func restart() throws {
        larder.close()
        larder = try Larder(.folder(folder), environment: environment)
    }

    /// Closes the cache and removes it.
    func end() {
        larder.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Begins to read.
    func call(_ resource: Resource<Data>, _ policy: ReadPolicy) -> PendingCall {
        let call = PendingCall(resource, policy, clock: clock)
        calls.append(call)
        return call
    }

    /// Begins what ends by itself, or with the time of the case.
    func call(_ work: @escaping @Sendable () async -> HTTPOutcome) -> PendingCall {
        let call = PendingCall(clock: clock, work)
        calls.append(call)
        return call
    }

    /// Returns when nothing goes on any more that does not wait for time to pass.
    ///
    /// That cannot be seen, only that nothing has changed for a while: a short one where every call has its answer and
    /// every request has come home, a long one where something is out that the network does not hold.
    func settle() async {
        var last: [Int] = []
        var calm = 0
        var landing = Landing(larder)
        for _ in 0..<Self.mostRounds {
            for _ in 0..<8 { await Task.yield() }
            // What was handed to the writer before this has been done after it.
            try? await larder.write { _ in }
            calls.removeAll { $0.outcome != nil }
            let now = network.signs + [clock.sleeperCount, calls.count]
            if now != last {
                last = now
                calm = 0
                landing = Landing(larder)
            }
            calm += 1
            if calm > calmRounds(landing) { break }
        }
    }

    private static let mostRounds = 1_000_000

    private func calmRounds(_ landing: Landing) -> Int {
        // It will change, be it after a journey through the sockets of a busy machine.
        if network.isWorking { return 200_000 * network.slowness }
        if calls.isEmpty, landing.isOver { return leastCalm }
        // Where nobody sleeps, something works: most likely the disk.
        if clock.sleeperCount == 0 { return 20_000 * network.slowness }
        // Whoever waits for nothing that is under way is on the way there, or back.
        return network.isHolding && larder.waitingReaders >= calls.count ? 40 : 1500 * network.slowness
    }

    /// Lets time pass; who sleeps meanwhile is woken in time.
    func pass(_ duration: Duration) async {
        let end = clock.elapsed + duration
        await settle()
        while let next = clock.nextWake, next <= end {
            await clock.advance(by: next - clock.elapsed)
            await settle()
        }
        await clock.advance(by: end - clock.elapsed)
    }

    /// Lets time pass until `isOver`, and no longer than needed.
    ///
    /// - Returns: False when that did not come within `limit`, or when nothing is left to wait for.
    func pass(until isOver: () -> Bool, limit: Duration) async -> Bool {
        let end = clock.elapsed + limit
        await settle()
        while !isOver() {
            guard let next = clock.nextWake, next <= end else { return false }
            await clock.advance(by: max(.zero, next - clock.elapsed))
            await settle()
        }
        return true
    }

    /// Changes the clock as a user does: no time passes.
    func set(wall: Date) { clock.set(wall: wall) }
}

/// The network of a case, as far as its world must know it.
protocol ScenarioNetwork: Sendable {
    /// How many requests have come, and how many have been answered.
    var signs: [Int] { get }
    /// Whether something goes on that neither waits for time to pass nor for anybody.
    var isWorking: Bool { get }
    /// Whether a request waits for its answer.
    var isHolding: Bool { get }
    /// How many times longer than in memory things may take.
    var slowness: Int { get }
}

extension ScenarioNetwork {
    var isWorking: Bool { false }
    var slowness: Int { 1 }
    var isHolding: Bool { signs.count == 2 && signs[0] > signs[1] }
}

/// Waits for the requests that the larder has under way now. Never cancelled, which would give them up.
private final class Landing: Sendable {
    private let flag = Mutex(false)

    init(_ larder: Larder) {
        Task {
            await larder.settle()
            self.flag.withLock { $0 = true }
        }
    }

    var isOver: Bool { flag.withLock { $0 } }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
