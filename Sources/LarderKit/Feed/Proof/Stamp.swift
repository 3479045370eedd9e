/// When an answer's request started.
///
/// ``order`` decides which of two answers is the later one and only ever grows; ``at`` says how old it is. They are two
/// numbers because a user may set the clock back.
struct Stamp: Sendable, Hashable {
    let order: Int64
    /// Wall time in milliseconds since 1970.
    var at: Int64
    /// How long the server itself called the answer fresh, in milliseconds, if it said.
    var lifetime: Int64?
}

extension Stamp: Comparable {
    static func == (left: Stamp, right: Stamp) -> Bool { left.order == right.order }

    func hash(into hasher: inout Hasher) { hasher.combine(order) }

    static func < (left: Stamp, right: Stamp) -> Bool { left.order < right.order }
}
