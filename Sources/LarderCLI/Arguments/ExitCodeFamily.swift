/// What the exit codes of a command mean.
enum ExitCodeFamily: Sendable, Hashable, CaseIterable {
    /// Those of commands that show what a server has: after sysexits.h, where that has a word for it.
    case asking
    /// Those of commands that look after a cache: whether it is sound is what a script wants to know of them.
    case keeping

    /// What the process ends with.
    func number(of code: ExitCode) -> Int32 {
        switch code {
        case .success: 0
        // As shells tell it.
        case .signal(let number): 128 + number
        default:
            switch self {
            case .asking: Self.systemNumber(of: code)
            case .keeping: Self.verdict(code)
            }
        }
    }

    private static func systemNumber(of code: ExitCode) -> Int32 {
        switch code {
        case .success, .signal: 0
        case .failure, .unexpected: 1
        case .usage: 64  // EX_USAGE
        case .dataError: 65  // EX_DATAERR
        case .noInput: 66  // EX_NOINPUT
        case .unavailable: 69  // EX_UNAVAILABLE
        case .cannotCreate: 73  // EX_CANTCREAT
        case .damaged, .storage: 74  // EX_IOERR
        case .temporary: 75  // EX_TEMPFAIL
        }
    }

    private static func verdict(_ code: ExitCode) -> Int32 {
        switch code {
        case .success, .signal: 0
        case .failure, .damaged: 1
        case .usage: 2
        case .dataError, .noInput, .unavailable, .cannotCreate, .storage, .temporary, .unexpected: 3
        }
    }

    /// What the help says of them.
    var meanings: [(number: String, meaning: String)] {
        switch self {
        case .asking:
            [
                ("0", "something is shown, also when it is stale and the network failed"),
                (
                    "1",
                    "nothing is shown: it is not stored ('get' and 'feed': with --offline also when there is no cache), or the server refused it"
                ),
                ("64", "the command line makes no sense"),
                (
                    "65",
                    "the server sent something else than was due (HTML, another shape, ids twice, more than asked, a list that "
                        + "leads nowhere), whether or not something is shown"
                ),
                ("66", "'explain' found no cache to look at"),
                (
                    "69",
                    "nothing is shown, or a list is not gone on with: the server, or a port, could not be reached"
                ),
                ("73", "the cache's folder is none, or cannot be made or written to"),
                (
                    "74",
                    "the cache cannot be read or written (no database, damaged, disk full), or standard output cannot be"
                ),
                (
                    "75",
                    "nothing is shown, or a list is not gone on with, and the same command may do later: another process holds the "
                        + "cache, or the server wants to be asked later (429, 5xx)"
                ),
            ]
        case .keeping:
            [
                ("0", "done, and nothing is wrong with the cache as far as this command looked"),
                ("1", "the cache is damaged, or what was named is not stored in it; the message says which"),
                ("2", "the command line makes no sense"),
                (
                    "3",
                    "it could not be done: there is no cache, it may not be read or written, the disk is full, another "
                        + "process holds it, a newer version wrote it"
                ),
            ]
        }
    }
}
