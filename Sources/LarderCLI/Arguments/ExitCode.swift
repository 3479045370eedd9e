/// How a command ended. Which number tells the parent process so is a matter of the command's ``ExitCodeFamily``.
///
/// Every way in which the tool ends is named here.
enum ExitCode: Sendable, Hashable {
    case success
    /// Nothing is shown: what was named is not stored, or the server refused it.
    case failure
    /// The command line makes no sense.
    case usage
    /// What the server sent is broken.
    case dataError
    /// The cache is there and damaged.
    case damaged
    /// There is no cache to look at.
    case noInput
    /// The network, or a port, was not to be had.
    case unavailable
    /// A folder or file cannot be made.
    case cannotCreate
    /// Reading or writing the disk failed.
    case storage
    /// The same command may do later.
    case temporary
    /// An error that nobody expected.
    case unexpected
    /// Ended by a signal.
    case signal(Int32)

    /// Whether a signal ended what was done.
    var isOfSignal: Bool {
        if case .signal = self { true } else { false }
    }
}
