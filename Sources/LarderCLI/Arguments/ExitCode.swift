/// What the process tells its parent, after sysexits.h where that has a word for it.
///
/// Every code the tool ends with is named here, and ``meanings`` is what the help says of them.
struct ExitCode: RawRepresentable, Sendable, Hashable {
    let rawValue: Int32

    static let success = ExitCode(rawValue: 0)
    static let failure = ExitCode(rawValue: 1)
    /// EX_USAGE: the command line makes no sense.
    static let usage = ExitCode(rawValue: 64)
    /// EX_DATAERR: what was read is broken.
    static let dataError = ExitCode(rawValue: 65)
    /// EX_NOINPUT: what was to be read is not there.
    static let noInput = ExitCode(rawValue: 66)
    /// EX_UNAVAILABLE: the network, or a port, was not to be had.
    static let unavailable = ExitCode(rawValue: 69)
    /// EX_CANTCREAT: a folder or file cannot be made.
    static let cannotCreate = ExitCode(rawValue: 73)
    /// EX_IOERR: reading or writing the disk failed.
    static let storage = ExitCode(rawValue: 74)
    /// EX_TEMPFAIL: the same command may do later.
    static let temporary = ExitCode(rawValue: 75)

    /// Ended by a signal, as shells tell it.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }

    /// Whether a signal ended what was done.
    var isOfSignal: Bool { rawValue > 128 }

    static let meanings: [(code: ExitCode, meaning: String)] = [
        (.success, "something is shown, also when it is stale and the network failed"),
        (
            .failure,
            "nothing is shown: it is not stored ('get' and 'feed': with --offline also when there is no cache), or the server refused it"
        ),
        (.usage, "the command line makes no sense"),
        (
            .dataError,
            "the server sent something else than was due (HTML, another shape, ids twice, more than asked, a list that "
                + "leads nowhere), whether or not something is shown"
        ),
        (.noInput, "'ls', 'explain' or 'stats' found no cache to look at"),
        (.unavailable, "nothing is shown, or a list is not gone on with: the server, or a port, could not be reached"),
        (.cannotCreate, "the cache's folder is none, or cannot be made or written to"),
        (
            .storage,
            "the cache cannot be read or written (no database, damaged, disk full), or standard output cannot be"
        ),
        (
            .temporary,
            "nothing is shown, or a list is not gone on with, and the same command may do later: another process holds the "
                + "cache, or the server wants to be asked later (429, 5xx)"
        ),
    ]
}
