import Foundation

/// An item as stored.
struct StoredItem: Sendable {
    let id: ItemID
    let body: Data
    /// The number of the codec the row names.
    let codec: Int64
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

    /// What to ask the server for to have the whole stretch anew.
    var whole: PageRequest

    /// When the oldest part was asked for, in milliseconds since 1970.
    var storedAt: Int64? { stamps.map(\.at).min() }
}

extension Stretch {
    /// Whether every part is fresh at `now`: within `maxAge`, or where the app set none within what the server gave.
    /// A part stored in the future is stale: the clock was set back, and its age is unknown.
    func isFresh(maxAge: Duration?, now: Date) -> Bool {
        let now = now.millisecondsSince1970
        return isComplete
            && stamps.allSatisfy { stamp in
                let age = now - stamp.at
                let lifetime = maxAge?.milliseconds ?? stamp.lifetime ?? 0
                return age >= 0 && age < lifetime
            }
    }
}
