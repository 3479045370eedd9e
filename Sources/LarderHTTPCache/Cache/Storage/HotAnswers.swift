import LarderKit
import Synchronization

import struct Foundation.Data

/// Everything that is stored for one URI, as it lies in memory. Never changes.
package final class HeldAnswers: Sendable {
    let records: [AnswerRecord]
    let states: [String: AnswerStorage.State]
    /// The cache file as it was when this was last known to be what it holds.
    let mark: AnswerMark
    let answers: [StoredAnswer]
    /// What was read of each of them once.
    let facts: [FreshnessFacts]
    package let keeping: HeldKeeping
    /// Whether it depends on the request's fields which of them serves it.
    package let dependsOnFields: Bool
    /// Whether one of them is for one client alone.
    package let dependsOnClient: Bool

    init(
        _ records: [AnswerRecord], _ states: [String: AnswerStorage.State], _ mark: AnswerMark, _ kind: CacheKind,
        like earlier: HeldAnswers?
    ) {
        self.records = records
        self.states = states
        self.mark = mark
        keeping = earlier?.keeping ?? HeldKeeping()
        let answers = records.map(\.answer)
        self.answers = answers
        facts = earlier?.facts ?? answers.map { FreshnessFacts($0, kind) }
        dependsOnFields = answers.contains { !$0.variant.fields.isEmpty }
        dependsOnClient = answers.contains { $0.client != nil }
    }

    /// Bodies of one chunk count in any case: they are kept once they were served.
    var cost: Int {
        records.reduce(512) { sum, record in
            let fields = record.answer.headers.fields
            let body = record.answer.size <= StoredBody.chunkSize ? record.answer.size : 0
            return sum + 512 + body + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
        }
    }
}

/// What has been made of stored answers, as long as they are the same.
package final class HeldKeeping: Sendable {
    /// For whoever serves them.
    package let serialised = SerialisedSlot()
    private let bodies = Mutex<[Int: Data]>([:])
    private let noted = Atomic<Int>(0)

    /// Whether a use is to be noted: each was long after the one that was noted last, in seconds.
    func isToBeNoted(at seconds: Int) -> Bool {
        let last = noted.load(ordering: .relaxed)
        guard (seconds - last).magnitude > 600 else { return false }
        return noted.compareExchange(expected: last, desired: seconds, ordering: .relaxed).exchanged
    }

    func body(_ index: Int, _ load: () throws(LarderError) -> Data?) throws(LarderError) -> Data? {
        if let body = bodies.withLock({ $0[index] }) { return body }
        let body = try load()
        if let body { bodies.withLock { $0[index] = body } }
        return body
    }
}

/// A place for one object, set once.
package final class SerialisedSlot: Sendable {
    private let object = Mutex<(any AnyObject & Sendable)?>(nil)

    package func get<T: AnyObject & Sendable>(_ make: () -> T) -> T {
        object.withLock { object in
            if let object = object as? T { return object }
            let made = make()
            object = made
            return made
        }
    }
}

/// What was lately used, bounded by bytes; what was not used for the longest time goes first, nearly: an entry that was used since it
/// was last looked at gets a second chance.
final class HotAnswers: Sendable {
    private struct Slot {
        var key: String
        var held: HeldAnswers
        var cost: Int
        var isUsed: Bool
    }

    private struct State {
        var slots: [Slot?] = []
        var free: [Int] = []
        var places: [String: Int] = [:]
        var hand = 0
        var cost = 0
    }

    let kind: CacheKind
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter kind: For which freshness is read.
    init(kind: CacheKind, limit: Int) {
        self.kind = kind
        self.limit = limit
    }

    func find(_ key: String) -> HeldAnswers? {
        state.withLock { state in
            guard let place = state.places[key] else { return nil }
            state.slots[place]?.isUsed = true
            return state.slots[place]?.held
        }
    }

    /// Keeps what was read at `mark`.
    ///
    /// - Parameter earlier: What it was before, where that was found to be the same: what was made of it stays.
    func keep(
        _ records: [AnswerRecord], states: [String: AnswerStorage.State], for key: String, at mark: AnswerMark,
        like earlier: HeldAnswers?
    ) -> HeldAnswers {
        let held = HeldAnswers(records, states, mark, kind, like: earlier)
        // What is nowhere is not remembered: whoever asks for a million things that are not there must not push out what is.
        guard !records.isEmpty else {
            forget(key)
            return held
        }
        let cost = held.cost
        guard cost <= limit / 4 else {
            forget(key)
            return held
        }
        let gone = state.withLock { state -> [HeldAnswers] in
            var gone: [HeldAnswers] = []
            if let place = state.places[key] {
                state.cost += cost - (state.slots[place]?.cost ?? 0)
                if let old = state.slots[place]?.held { gone.append(old) }
                state.slots[place] = Slot(key: key, held: held, cost: cost, isUsed: true)
            } else {
                let slot = Slot(key: key, held: held, cost: cost, isUsed: false)
                if let place = state.free.popLast() {
                    state.slots[place] = slot
                    state.places[key] = place
                } else {
                    state.places[key] = state.slots.count
                    state.slots.append(slot)
                }
                state.cost += cost
            }
            while state.cost > limit {
                if state.hand >= state.slots.count { state.hand = 0 }
                defer { state.hand += 1 }
                guard var slot = state.slots[state.hand] else { continue }
                if slot.isUsed {
                    slot.isUsed = false
                    state.slots[state.hand] = slot
                } else {
                    gone.append(slot.held)
                    state.places[slot.key] = nil
                    state.cost -= slot.cost
                    state.slots[state.hand] = nil
                    state.free.append(state.hand)
                }
            }
            return gone
        }
        withExtendedLifetime(gone) {}
        return held
    }

    func forget(_ key: String) {
        let gone = state.withLock { state -> HeldAnswers? in
            guard let place = state.places.removeValue(forKey: key), let slot = state.slots[place] else { return nil }
            state.cost -= slot.cost
            state.slots[place] = nil
            state.free.append(place)
            return slot.held
        }
        withExtendedLifetime(gone) {}
    }
}
