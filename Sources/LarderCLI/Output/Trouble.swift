import Foundation
import LarderKit

/// Why a command shows nothing, or less than was asked: what happened, what to do about it, and the exit code.
struct Trouble: Error, Sendable, Hashable, CustomStringConvertible {
    /// One word for programs.
    let kind: String
    /// The cause and the next step, as sentences. Without secrets.
    let message: String
    let exitCode: ExitCode

    init(_ kind: String, _ message: String, exitCode: ExitCode) {
        self.kind = kind
        self.message = message
        self.exitCode = exitCode
    }

    var description: String { message }
}

/// What a trouble is about, for its message.
struct Subject: Sendable, Hashable {
    /// The origin of what was asked.
    let origin: String
    let folder: URL
    let isOffline: Bool
    /// What was looked for in the cache, as the object of a sentence.
    let thing: String
}

extension Trouble {
    /// - Parameter isStored: Something is stored that is not shown, since the server's word or the policy forbids it.
    init(_ error: LarderError, _ subject: Subject, isStored: Bool = false) {
        switch error {
        case .fetch(let failure):
            self.init(failure, subject, isStored: isStored)
        case .notStored:
            self.init(
                "notStored",
                "nothing is stored of \(subject.thing) in \(subject.folder.path). "
                    + (subject.isOffline
                        ? "Ask once without --offline, with the same options." : "Ask once by another --policy."),
                exitCode: .failure)
        case .undecodable(let value, let failure):
            self.init(
                "undecodable",
                "\(value)." + (failure.map { " Asking again failed: \($0)." } ?? " Ask again without --offline."),
                exitCode: .dataError)
        case .storage(let error):
            self.init(error, folder: subject.folder)
        case .signedOut:
            self.init("signedOut", "everything of this partition was removed meanwhile", exitCode: .failure)
        case .cancelled:
            self.init("cancelled", "the reading was cancelled", exitCode: .failure)
        }
    }

    /// A failure with nothing to show beside it.
    private init(_ failure: FetchFailure, _ subject: Subject, isStored: Bool) {
        let exitCode: ExitCode =
            switch failure.kind {
            case .offline, .timedOut: .unavailable
            case .wrongAnswer: .dataError
            case .throttled, .server: .temporary
            default: .failure
            }
        let remains = isStored ? " What came before is still stored: --offline shows it." : ""
        self.init(failure.kindName, failure.sentences(about: subject.origin) + remains, exitCode: exitCode)
    }
}

extension [Trouble] {
    /// Of a command that does several things, each by itself.
    var json: JSONText {
        .array(map { .object([("kind", .string($0.kind)), ("message", .string($0.message))]) })
    }

    /// Tells each to a person.
    ///
    /// - Returns: The exit code: what could not be done weighs more than what was not there.
    func write(_ command: String) throws(StreamFailure) -> ExitCode {
        for trouble in self {
            try StandardStream.error.line(Terminal.error.styled("larder \(command): \(trouble.message)", .red))
        }
        return (first { $0.exitCode != .failure } ?? first)?.exitCode ?? .success
    }
}

extension FetchFailure {
    /// One word for programs.
    var kindName: String { kind.name }

    /// Cause and next step.
    func sentences(about origin: String) -> String {
        let end = explanation.hasSuffix("?") ? "" : "."
        return "\(origin): \(explanation)\(end)" + (nextStep.map { " \($0)" } ?? "")
    }

    /// What to do about it, as a sentence; `nil` where the explanation says it.
    private var nextStep: String? {
        switch kind {
        case .wrongAnswer where explanation.contains(" --"): nil
        case .wrongAnswer where explanation.hasSuffix("ended before its time"): "Try again."
        case .offline: "Check the address and the network."
        case .timedOut: "Try again, or give it longer with --timeout."
        case .unauthorised: "Say who asks with --header, such as --header 'Authorization: Bearer …'."
        case .forbidden: "Ask with credentials that may read this."
        case .gone: "Check the path of the URL."
        case .throttled, .server:
            retryAfter.map { "Try again in \(Units.age($0))." } ?? "Try again later."
        case .unexpectedStatus(300..<400): "Ask the address it leads to."
        case .unexpectedStatus(202): "Try again in a moment."
        case .unexpectedStatus: "Check the URL and its parameters."
        case .wrongAnswer: "Check that the URL is that of a JSON API."
        case .circular, .other: "Check the URL and the options."
        }
    }
}
