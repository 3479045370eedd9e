import LarderSQLite

/// What an answer has to pass before it is stored: its partition is still signed in to, and nothing it speaks of was said
/// to have changed since it was asked for.
struct Admission: Sendable {
    let partition: PartitionState
    /// What the answer is stored under: a resource's key or a feed's name.
    let name: String
    let tags: [String]
    /// Where a value is to be kept; `nil` of a feed.
    var storage: ResourceOptions.Storage?
    /// The order of the request's stamp.
    let stamp: Int64
    /// It is no answer but what the app itself has stored: that something has changed meanwhile does not make it wrong, only
    /// that it was removed.
    var isOfApp = false
    /// What is given back along with storing the answer.
    var lease: Lease?

    enum Verdict: Sendable {
        case admitted
        /// It was said to have changed since.
        case outdated
        /// It was removed since.
        case removed
        case signedOut
    }

    func verdict(in db: borrowing Connection) throws -> Verdict {
        do { try partition.check(in: db) } catch is SignedOut { return .signedOut }
        return try FenceTable(partition: partition.name).verdict(on: self, in: db)
    }
}
