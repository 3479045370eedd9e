/// Where a server left off, in its own terms: handed back to it to go on from there.
///
/// Continuations live with the edge of the run that the answer ended at, survive a restart, and never pass through the
/// app. One that is longer than 64 KB is not kept: reading on then ends with ``StallReason/noContinuation``.
public enum Continuation: Sendable, Hashable {
    /// An opaque cursor from the body of an answer.
    case cursor(String)
    /// The target of a link (RFC 8288), absolute where the answer's own URL is known. It is followed to the origin it came
    /// from and to no other (``PageRequest/url(from:)``).
    case link(String)
    /// The number of a page, as the server counts them.
    case page(Int)
    /// How many items stand above the first one wanted.
    case offset(Int)
}
