import Foundation

/// An item as stored.
struct StoredItem: Sendable {
    let key: SortKey
    let id: ItemID
    /// Empty when the row is damaged.
    let body: Data
    /// The number of the codec the row names; `nil` when the row is damaged.
    let codec: Int64?
}

/// What is stored at a position of a feed, up to the first thing that is not known.
struct Stretch: Sendable {
    /// Newest first. Neighbours here were neighbours on the server.
    var items: [StoredItem] = []
    /// The stamps of all the answers that this rests on.
    var stamps: [Stamp] = []
    /// The limit is reached, or the feed is known to end here.
    var isComplete = false
    /// The feed is known to end where the stretch does, in the direction of reading.
    var isAtEnd = false
    /// What to ask the server for, if anything is missing.
    var missing: PageRequest?
    /// Why the server cannot be asked for what is missing.
    var stall: StallReason?

    /// What stood around the items of those answers, where that is kept.
    var envelopes: [Data] = []
    /// So many times two pages stand here as neighbours without proof.
    var seams = 0

    /// What to ask the server for to have the whole stretch anew.
    var whole: PageRequest

    /// When the oldest part was asked for, in milliseconds since 1970.
    var storedAt: Int64? { stamps.map(\.at).min() }
}

extension Stretch {
    /// How to go on where the stretch ends, or `nil` when nothing is missing.
    var onward: Onward? { stall.map { .stalled($0) } ?? missing.map { .ask($0) } }

    /// Whether there is anything to show: items, or the knowledge that there are none.
    var isKnown: Bool { !items.isEmpty || isComplete }

    /// Whether there is something to show that was all asked for with this stamp or a later one, and has not changed since.
    func isKnown(since stamp: Int64) -> Bool {
        isKnown && stamps.allSatisfy { $0.order >= stamp && !$0.isInvalidated }
    }

    /// Whether the whole stretch is there, and every part of it fresh at `now`.
    func isFresh(maxAge: Duration?, now: Date) -> Bool {
        isComplete && areFresh(maxAge: maxAge, now: now)
    }

    /// Whether every part that is there is fresh, those that the answer `except` brought aside.
    func areFresh(maxAge: Duration?, now: Date, except: Int64? = nil) -> Bool {
        stamps.allSatisfy { $0.order == except || $0.isFresh(maxAge: maxAge, now: now) }
    }
}

extension Stamp {
    /// By how many milliseconds the answer is past its lifetime: `maxAge`, or where the app set none what the server gave.
    func overdue(maxAge: Duration?, now: Date) -> Int64 {
        now.millisecondsSince1970 - at - max(0, maxAge?.milliseconds ?? lifetime ?? 0)
    }

    /// The app has said that what the answer showed has changed since. Stored as a lifetime below zero.
    var isInvalidated: Bool { lifetime.map { $0 < 0 } ?? false }

    /// An answer from the future is stale: the clock was set back, and how old it is cannot be told.
    func isFresh(maxAge: Duration?, now: Date) -> Bool {
        !isInvalidated && now.millisecondsSince1970 >= at && overdue(maxAge: maxAge, now: now) < 0
    }
}
