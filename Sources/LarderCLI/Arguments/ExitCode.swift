/// What the process tells its parent, after sysexits.h where that has a word for it.
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

    /// Ended by a signal, as shells tell it.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }
}
