import Synchronization

/// How much timelines have read: for tests, which hold the cost of a change to what has changed.
final class TimelineMeter: Sendable {
    private let identityCount = Atomic(0)
    private let bodyCount = Atomic(0)

    /// Rows of items, without their bytes.
    var identities: Int { identityCount.load(ordering: .relaxed) }
    /// Items with their bytes.
    var bodies: Int { bodyCount.load(ordering: .relaxed) }

    func count(identities: Int) { identityCount.add(identities, ordering: .relaxed) }
    func countBody() { bodyCount.add(1, ordering: .relaxed) }
}
