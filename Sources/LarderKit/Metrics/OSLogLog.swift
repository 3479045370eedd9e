#if canImport(os)
    internal import os

    /// The system's log, which Console and `log stream` show.
    ///
    /// What happens all the time is at the level `debug`, which is not kept on disk; trouble is at `info` or `error`.
    public struct OSLogLog: LarderLog {
        private let logger: Logger

        /// - Parameter subsystem: The app's, as a rule its bundle identifier.
        public init(subsystem: String, category: String = "larder") {
            logger = Logger(subsystem: subsystem, category: category)
        }

        public func note(_ event: LarderEvent) {
            switch event {
            case .notKept, .repaired, .repairFailed:
                logger.error("\(event.description, privacy: .public)")
            case .requestEnded(_, .failed, _), .retry, .heldBack, .connectivity, .signedOut:
                logger.info("\(event.description, privacy: .public)")
            default:
                logger.debug("\(event.description, privacy: .public)")
            }
        }
    }
#endif
