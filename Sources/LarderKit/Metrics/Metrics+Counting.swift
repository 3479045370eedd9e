extension Metrics {
    /// Counts what happened. Each event counts once, whoever saw it.
    mutating func count(_ event: LarderEvent) {
        switch event {
        case .requestStarted: requests &+= 1
        case .requestEnded(_, let outcome, _): count(outcome)
        case .served(_, let reason, _, let isStale, let bytes): countServed(reason, isStale: isStale, bytes: bytes)
        case .joined: sharedFlights &+= 1
        case .joinedOtherProcess: sharedAcrossProcesses &+= 1
        case .retry: retries &+= 1
        case .heldBack: heldBack &+= 1
        case .lateAnswer: late &+= 1
        case .notKept: notKept &+= 1
        case .gapFound: gaps &+= 1
        case .superseded, .signedOut, .invalidated, .repaired, .repairFailed, .trimmed, .logGrows: break
        }
    }

    private mutating func count(_ outcome: LarderEvent.Outcome) {
        switch outcome {
        case .value(let bytes):
            fetched &+= 1
            bytesReceived &+= bytes
        case .notModified(let bytes):
            revalidated &+= 1
            bytesSaved &+= bytes
        case .failed(let kind):
            failures[kind.name, default: 0] &+= 1
        case .cancelled:
            break
        }
    }

    private mutating func countServed(_ reason: ReadingReason, isStale: Bool, bytes: Int) {
        switch reason {
        case .fetched, .notModified:
            // Counted when the request ended.
            break
        case .fresh, .cacheOnly, .peeked:
            guard !isStale else { return staleHits &+= 1 }
            hits &+= 1
            bytesSaved &+= bytes
        case .staleWhileRevalidate, .networkFailed, .patienceRanOut, .presumedOffline, .heldBack, .notKept,
            .nothingToAsk:
            staleHits &+= 1
        }
    }
}
