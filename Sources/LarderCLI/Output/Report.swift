import Foundation
import LarderKit

/// What a command read, ready to be told: to a person, or as one JSON object.
///
/// A reading, a trouble, or both: something may be shown and yet not be as it should.
struct Report: Sendable {
    /// What is known of a value besides itself.
    struct Facts: Sendable {
        let source: ReadingSource
        let storedAt: Date
        let age: Duration
        let isStale: Bool
        let isComplete: Bool
        let reason: ReadingReason
        let failure: FetchFailure?

        init(_ reading: Reading<some Sendable>, isComplete: Bool = true) {
            source = reading.source
            storedAt = reading.storedAt
            age = reading.age
            isStale = reading.isStale
            self.isComplete = isComplete
            reason = reading.reason
            failure = reading.failure
        }

        /// Of an answer that an HTTP cache keeps.
        init(storedAt: Date, age: Duration, isStale: Bool, failure: FetchFailure?) {
            source = .cache
            self.storedAt = storedAt
            self.age = age
            self.isStale = isStale
            isComplete = true
            reason = failure == nil ? .cacheOnly : .networkFailed
            self.failure = failure
        }
    }

    let command: String
    let origin: String
    let facts: Facts?
    let notes: [Note]
    let trouble: Trouble?

    /// An outage is what the cache is for; a server that sends something else than was due is a mistake somewhere, and is
    /// told even where a stored value stands in.
    var exitCode: ExitCode {
        if let trouble { return trouble.exitCode }
        return facts?.failure?.kind == .wrongAnswer ? .dataError : .success
    }

    /// The members that every object has, behind those of the value.
    var members: [(name: String, value: JSONText)] {
        [
            ("source", (facts?.source.rawValue).json(JSONText.string)),
            ("storedAt", (facts?.storedAt).json(JSONText.timestamp)),
            ("age", (facts?.age).json(JSONText.seconds)),
            ("stale", (facts?.isStale).json(JSONText.bool)),
            ("complete", .bool(facts?.isComplete ?? false)),
            ("reason", (facts?.reason.rawValue).json(JSONText.string)),
            ("error", error),
            ("warnings", .array(notes.map { Self.object($0.kind, $0.message) })),
        ]
    }

    private var error: JSONText {
        if let trouble { return Self.object(trouble.kind, trouble.message) }
        guard let failure = facts?.failure else { return .null }
        return Self.object(failure.kindName, failure.sentences(about: origin))
    }

    private static func object(_ kind: String, _ message: String) -> JSONText {
        .object([("kind", .string(kind)), ("message", .string(message))])
    }

    /// What stands beside the value, for standard error: one line each.
    func writeRemarks() throws(StreamFailure) {
        let terminal = Terminal.error
        // What makes the whole a failure is told once, as that.
        for note in notes where note.kind != trouble?.kind && (note.kind != "notKept" || trouble == nil) {
            try StandardStream.error.line(terminal.styled("larder \(command): warning: \(note.message)", .yellow))
        }
        if let failure = facts?.failure {
            let text = "the network gave nothing new: \(failure.sentences(about: origin))"
            try StandardStream.error.line(terminal.styled("larder \(command): \(text)", .yellow))
        }
        try writeTrouble()
    }

    /// Why the exit code is not zero, for standard error: also beside an object that tells it.
    func writeTrouble() throws(StreamFailure) {
        guard let trouble else { return }
        try StandardStream.error.line(Terminal.error.styled("larder \(command): \(trouble.message)", .red))
    }
}

extension Report.Facts {
    /// Where the value comes from, how old it is and why it is shown, as the end of a sentence.
    var sentence: String {
        switch source {
        case .network:
            return age < .seconds(1) ? "from the network" : "from the network, \(Units.age(age)) old"
        case .revalidated:
            return "from the cache, which the server calls unchanged"
        case .cache:
            let kept = "from the cache, \(Units.age(age)) old (\(Units.timestamp(storedAt)))"
            return "\(kept), \(isStale ? "stale" : "fresh"): \(explanation)"
        }
    }

    /// Source and age in a few words.
    var brief: String {
        switch source {
        case .network: "from the network"
        case .revalidated: "from the cache, unchanged at the server"
        case .cache: "from the cache, \(Units.age(age)) old, \(isStale ? "stale" : "fresh"): \(explanation)"
        }
    }

    private var explanation: String {
        switch reason {
        case .fetched: "just fetched"
        case .notModified: "the server calls it unchanged"
        case .fresh: "no need to ask"
        case .staleWhileRevalidate: "asking again in the background"
        case .networkFailed: "the network failed"
        case .patienceRanOut: "the network did not answer in time"
        case .presumedOffline: "the network is believed to be gone"
        case .heldBack: "the server is left alone for now"
        case .notKept: "what came could not be kept"
        case .nothingToAsk: "there is nothing to ask the server with for more"
        case .cacheOnly: "the network was not asked"
        case .peeked: "what is stored"
        }
    }
}
