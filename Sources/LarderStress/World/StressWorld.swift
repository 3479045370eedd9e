import Foundation
import LarderKit
import LarderTestKit

/// What a run takes place in: two larders with the same accounts, and one network.
struct StressWorld: Sendable {
    /// One larder, with what there is only one of in it.
    struct Shop: Sendable {
        let larder: Larder
        let store: OwnStore
        let hosts: [String: Lane]
        let accounts: [Account]
    }

    let shops: [Shop]
    private let connectivity = ManualConnectivity()
    private let ledger: Ledger

    /// As many requests of one host are under way at a time.
    static let hostLimit = 6

    var accounts: [Account] { shops.flatMap(\.accounts) }

    init(_ size: StressSize, ledger: Ledger) throws {
        self.ledger = ledger
        let random = SeededRandom(seed: size.seed)
        let environment = LarderEnvironment(
            connectivity: connectivity, random: random, log: ClosureLog { ledger.note($0) })
        let origin = Origin(ledger: ledger, random: random)
        let specs = KeySpec.all(size.keys)
        shops = try (0..<2).map { number in
            let larder = try Larder(.temporary, environment: environment)
            let store = OwnStore(random: random)
            let hosts = Dictionary(
                uniqueKeysWithValues: Set(specs.compactMap(\.host)).map { ($0, Lane(limit: Self.hostLimit)) })
            let accounts = try (0..<size.partitions).map { partition in
                try Account(
                    size.name(of: partition), in: larder, number: number, origin: origin, hosts: hosts, store: store,
                    specs: specs)
            }
            return Shop(larder: larder, store: store, hosts: hosts, accounts: accounts)
        }
    }

    /// The network comes and goes.
    func flap(seed: UInt64, until isOver: @Sendable () -> Bool) async {
        var dice = Dice(seed: seed, stream: -1000)
        while !isOver() {
            connectivity.set(dice.pick([.online, .online, .offline, .suspect, .unknown]))
            try? await Task.sleep(for: dice.milliseconds(50...900))
        }
        connectivity.set(.online)
    }

    /// Waits for requests to end that nobody waits for any more.
    func settle() async {
        var before = -1
        while ledger.requestCount != before {
            before = ledger.requestCount
            try? await Task.sleep(for: .milliseconds(500))
        }
    }

    // MARK: Checks in the end

    func check() throws {
        for shop in shops {
            let present = Dictionary(uniqueKeysWithValues: shop.accounts.map { ($0.name, $0.session) })
            try Remains(larder: shop.larder, store: shop.store, ledger: ledger).check(present)
        }
    }

    func signOut() async throws {
        for account in accounts { try await account.change(twice: false) }
    }

    func checkEmpty() throws {
        for shop in shops { try Remains(larder: shop.larder, store: shop.store, ledger: ledger).check([:]) }
    }
}

extension Ledger {
    fileprivate func note(_ event: LarderEvent) {
        switch event {
        case .joined: noteJoined()
        case .requestStarted: noteAnnounced()
        default: break
        }
    }
}
