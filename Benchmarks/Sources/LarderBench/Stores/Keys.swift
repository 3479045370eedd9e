import CBaseline
import Foundation

/// Random keys, the same for both sides of a round.
final class Keys {
    private(set) var names: [String] = []
    private(set) var numbers: [Int] = []
    private let count: Int
    private var draws = 0

    init(_ count: Int) {
        self.count = count
    }

    func draw(_ wanted: Int) {
        var state = UInt64(draws / 2)
        draws += 1
        numbers = (0..<wanted).map { _ in Int(baseline_random(&state) % UInt64(count)) }
        names = numbers.map(KeyStores.name)
    }
}

/// Values that were not stored before.
final class Values {
    private(set) var values: [Data] = []
    private let stores: KeyStores
    private var next = 1_000_000

    init(_ stores: KeyStores) {
        self.stores = stores
    }

    func draw(_ count: Int) {
        values = (next..<next + count).map(stores.value)
        next += count
    }
}
