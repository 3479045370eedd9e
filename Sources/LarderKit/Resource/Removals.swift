import Synchronization

/// What was removed while an answer to it was under way: such an answer was asked for earlier, and must not bring the
/// value back.
///
/// Only removals that met a flight are kept, so this stays small.
final class Removals: Sendable {
    /// A key, and where its value is kept.
    struct Place: Hashable, Sendable {
        let key: StoreKey
        let storage: String
    }

    private let orders = Mutex<[Place: Int64]>([:])

    func note(_ place: Place, order: Int64) {
        orders.withLock { $0[place] = max(order, $0[place] ?? .min) }
    }

    /// Whether `place` was emptied later than the request with this order started.
    func cover(_ place: Place, order: Int64) -> Bool {
        orders.withLock { orders in orders[place].map { order < $0 } ?? false }
    }
}
