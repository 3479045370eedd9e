extension LarderEvent: CustomStringConvertible {
    /// One line, as safe to log as the event is.
    public var description: String {
        switch self {
        case .requestStarted(let subject): "\(subject): request sent"
        case .requestEnded(let subject, let outcome, let duration):
            "\(subject): \(outcome) after \(duration.milliseconds) ms"
        case .served(let subject, let reason, let age, let isStale, let bytes):
            "\(subject): served \(bytes) bytes, \(isStale ? "stale" : "fresh"), "
                + "\(age.milliseconds) ms old (\(reason.rawValue))"
        case .joined(let subject): "\(subject): joined a request under way"
        case .joinedOtherProcess(let subject): "\(subject): joined a request of another process"
        case .retry(let subject, let kind, let delay):
            "\(subject): asked again in \(delay.milliseconds) ms (\(kind.name))"
        case .heldBack(let subject): "\(subject): request held back"
        case .lateAnswer(let subject): "\(subject): the answer came late"
        case .notKept(let subject): "\(subject): the value could not be kept"
        case .superseded(let subject): "\(subject): a later value is stored already"
        case .gapFound(let subject): "\(subject): a gap was left"
        case .signedOut: "signed out"
        case .invalidated(let count): "invalidated: \(count)"
        case .repaired(let kept, let lost, let gaps):
            "the cache was damaged and is repaired: rows kept \(kept), lost \(lost), gaps \(gaps)"
        case .repairFailed(let kind): "the cache is damaged and could not be repaired (\(kind))"
        case .trimmed(let count, let bytes): "trimmed: \(count), \(bytes) bytes"
        case .logGrows(let bytes): "a reader keeps the write-ahead log from being emptied: \(bytes) bytes"
        }
    }
}

extension LarderEvent.Subject: CustomStringConvertible {
    public var description: String { "\(kind.rawValue) \(number)" }
}

extension LarderEvent.Outcome: CustomStringConvertible {
    public var description: String {
        switch self {
        case .value(let bytes): "\(bytes) bytes"
        case .notModified(let bytes): "not modified, \(bytes) bytes saved"
        case .failed(.gone(let status)): "gone (\(status))"
        case .failed(.server(let status)): "server (\(status))"
        case .failed(.unexpectedStatus(let status)): "unexpectedStatus (\(status))"
        case .failed(let kind): kind.name
        case .cancelled: "cancelled"
        }
    }
}
