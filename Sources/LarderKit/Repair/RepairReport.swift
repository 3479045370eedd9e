public import Foundation

/// What a repair found, kept and gave up: ``LarderRepair/repair(folder:disk:progress:)``.
public struct RepairReport: Sendable {
    public enum Outcome: String, Sendable, Hashable {
        /// The cache was sound, and nothing was changed.
        case sound
        /// Damaged rows and files were removed, one by one.
        case removedRows
        /// The database was built anew from what is readable, and the damaged one set aside.
        case rebuilt
    }

    public var outcome = Outcome.sound
    /// What was wrong.
    public var found: VerificationReport
    /// Rows that were kept, by table, where the database was built anew.
    public var kept: [String: Int] = [:]
    /// Rows that are known to be lost, by table. There may be more, of which nothing is left.
    public var lost: [String: Int] = [:]
    /// Places in feeds that are unknown now, and will be asked for again.
    public var gaps = 0
    /// Feeds of which all proofs were given up, since it could not be told which items are lost.
    public var feedsWithoutProof = 0
    /// Files of values that were removed.
    public var removedFiles = 0
    /// Where the damaged database was put, if it was.
    public var setAside: URL?
    /// The list of accounts that were signed out of was damaged: everybody counts as signed out of, and in again, so that no
    /// late answer is stored for an account that has left.
    public var endedAllSessions = false
    /// What was said to have changed could not all be read: all that is on its way counts as outdated.
    public var outdatedAllAnswers = false
    /// Tables that an app had added to the file, which are not kept.
    public var droppedTables = 0

    init(found: VerificationReport) {
        self.found = found
    }
}
