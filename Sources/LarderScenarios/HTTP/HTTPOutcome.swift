import Foundation
import LarderKit

/// What a caller got, in the words of HTTP: a reading is a 200, "not stored" the 504 of a cache that was not to ask, and a
/// failure its status where it has one.
struct HTTPOutcome: Sendable {
    /// `nil` for an error that is no answer.
    let status: Int?
    let body: Data?
    let isStale: Bool
    let source: ReadingSource?
    let age: Duration?
    /// What went wrong, be it beside a value.
    let failure: String?
    /// How long the caller waited.
    var wait: Duration = .zero
    /// What only an answer over HTTP has.
    var headers = HeaderFields()
    /// The statuses of interim answers that came before.
    var interim: [Int] = []

    init(_ reading: Reading<Data>) {
        status = 200
        body = reading.value
        isStale = reading.isStale
        source = reading.source
        age = reading.age
        failure = reading.failure?.description
    }

    init(_ error: LarderError) {
        status =
            switch error {
            case .notStored: 504
            case .fetch(let failure): failure.status
            default: nil
            }
        body = nil
        isStale = false
        source = nil
        age = nil
        failure = "\(error)"
    }

    var shown: String {
        let status = status.map { "\($0)" } ?? "an error"
        let body = body.map { " " + JSONString.quoting(String(decoding: $0, as: UTF8.self)) } ?? ""
        return "\(status)\(body)\(isStale ? ", stale" : "")\(failure.map { " (\($0))" } ?? "")"
    }
}

extension FetchFailure {
    /// The status that the server answered with, where the kind tells.
    fileprivate var status: Int? {
        switch kind {
        case .unauthorised: 401
        case .forbidden: 403
        case .gone(let status), .server(let status), .unexpectedStatus(let status): status
        case .throttled: 429
        case .offline, .timedOut, .wrongAnswer, .circular, .other: nil
        }
    }
}
