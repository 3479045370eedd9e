import Synchronization

/// Keeps an answer that was asked for before a removal from bringing the value back.
///
/// Whoever asks takes a ``Ticket`` first, and looks at it before and after storing; a removal marks those that are out.
/// Nothing is kept of a ticket that is gone.
final class Removals: Sendable {
    /// A key, and where its value is kept.
    struct Place: Hashable, Sendable {
        let key: StoreKey
        let storage: String
    }

    /// One request for the value of a place.
    final class Ticket: Sendable {
        private let removals: Removals
        private let place: Place
        private let isMarked = Atomic(false)

        fileprivate init(_ removals: Removals, _ place: Place) {
            self.removals = removals
            self.place = place
        }

        /// Whether the place was emptied since the ticket was taken.
        var isOutdated: Bool { isMarked.load(ordering: .acquiring) }

        fileprivate func mark() { isMarked.store(true, ordering: .releasing) }

        deinit { removals.forget(ObjectIdentifier(self), place) }
    }

    private struct Weak {
        weak var ticket: Ticket?
    }

    private let tickets = Mutex<[Place: [ObjectIdentifier: Weak]]>([:])

    func ticket(for place: Place) -> Ticket {
        let ticket = Ticket(self, place)
        tickets.withLock { $0[place, default: [:]][ObjectIdentifier(ticket)] = Weak(ticket: ticket) }
        return ticket
    }

    /// Says that `place` is being emptied.
    func note(_ place: Place) {
        // Taken out of the lock before they are let go: the last reference to one takes the lock again.
        let outstanding = tickets.withLock { tickets in tickets[place]?.values.compactMap(\.ticket) ?? [] }
        for ticket in outstanding { ticket.mark() }
    }

    /// For how many requests a removal would matter now.
    var count: Int {
        tickets.withLock { $0.values.reduce(0) { $0 + $1.count } }
    }

    private func forget(_ ticket: ObjectIdentifier, _ place: Place) {
        tickets.withLock { tickets in
            tickets[place]?[ticket] = nil
            if tickets[place]?.isEmpty == true { tickets[place] = nil }
        }
    }
}
