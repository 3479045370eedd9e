import Foundation
import LarderKit

/// What a step showed.
struct HTTPRecord {
    /// One a caller; none where nothing is stored and the store was looked at.
    var outcomes: [HTTPOutcome] = []
    /// Those of this step.
    var requests: [HTTPOrigin.Sent] = []
    /// How often a text was found on disk.
    var hits = 0
}

/// Compares what was seen with what was expected.
struct HTTPCheck {
    let record: HTTPRecord

    /// What is wrong, or `nil`.
    func failure(of expectation: HTTPExpectation) -> String? {
        let wrong: String?
        switch expectation.kind {
        case .contacted, .requests, .requestsAtMost, .sentHeaders: wrong = ofOrigin(expectation.kind)
        case .hits(let count): wrong = Self.difference(count, record.hits)
        case .hitsAtLeast(let count): wrong = record.hits >= count ? nil : "at least \(count), got \(record.hits)"
        case .stored(let truth): wrong = Self.difference(truth, !record.outcomes.isEmpty)
        default:
            let outcomes = record.outcomes.isEmpty ? [HTTPOutcome(.notStored)] : record.outcomes
            wrong = outcomes.lazy.compactMap { Self.failure(of: expectation.kind, $0) }.first
        }
        return wrong.map { "\(expectation.name): expected \($0)" }
    }

    private static func failure(of kind: HTTPExpectation.Kind, _ outcome: HTTPOutcome) -> String? {
        let wanted: String
        let isRight: Bool
        switch kind {
        case .status(let choices):
            wanted = choices.map { $0.map { "\($0)" } ?? "an error" }.joined(separator: " or ")
            isRight = choices.contains(outcome.status) || (outcome.failure != nil && choices.contains(nil))
        case .body(let text):
            wanted = JSONString.quoting(text)
            isRight = outcome.body == Data(text.utf8)
        case .stale(let truth):
            wanted = truth ? "a stale value" : "a value that is not stale"
            isRight = outcome.body != nil && outcome.isStale == truth
        case .errorOrStale:
            wanted = "an error or a stale value"
            isRight = outcome.body == nil || outcome.isStale || outcome.status.map { $0 >= 500 } ?? true
        case .mustNotContain(let text):
            wanted = "nothing with \(JSONString.quoting(text))"
            let texts =
                [outcome.body.map { String(decoding: $0, as: UTF8.self) }, outcome.failure]
                + outcome.headers.fields.map(\.value)
            isRight = !texts.contains { $0?.contains(text) == true }
        case .answeredWithin(let range):
            wanted = "an answer after \(range.lowerBound) to \(range.upperBound) s, and it came after \(outcome.wait)"
            isRight = range.contains(outcome.wait.inSeconds)
        case .source(let source):
            wanted = "a value from \(source.rawValue), and it was from \(outcome.source?.rawValue ?? "nowhere")"
            isRight = outcome.source == source
        case .age(let seconds):
            wanted = "an age of \(seconds) s, and it was \(outcome.age.map { "\($0)" } ?? "none")"
            isRight = outcome.age == .seconds(seconds)
        case .failed(let truth):
            wanted = truth ? "a failure" : "no failure"
            isRight = (outcome.failure != nil) == truth
        case .headers(let headers):
            // Several fields of a name are one list (RFC 9110 section 5.3).
            let wrong = headers.sorted { $0.key < $1.key }.first { name, values in
                outcome.headers.values(of: name).joined(separator: ", ") != values.joined(separator: ", ")
                    || outcome.headers.values(of: name).isEmpty != values.isEmpty
            }
            guard let wrong else { return nil }
            return "\(wrong.key) \(wrong.value), got \(outcome.headers.values(of: wrong.key))"
        case .decodedLength(let length):
            let got = ContentCoding.decoded(outcome)?.count
            wanted = "a body of \(length) bytes once decoded, and it was of \(got.map { "\($0)" } ?? "none")"
            isRight = got == length
        case .consistentEncoding:
            wanted = "a content coding and a length that fit the bytes"
            isRight = ContentCoding.isConsistent(outcome)
        case .interim(let statuses):
            wanted = "the interim answers \(statuses), and it were \(outcome.interim)"
            isRight = outcome.interim == statuses
        default:
            return nil
        }
        return isRight ? nil : "\(wanted), got \(outcome.shown)"
    }

    private func ofOrigin(_ kind: HTTPExpectation.Kind) -> String? {
        let requests = record.requests
        switch kind {
        case .contacted(let truth):
            return Self.difference(truth, !requests.isEmpty)
        case .requests(let count):
            return Self.difference(count, requests.count)
        case .requestsAtMost(let count):
            return requests.count <= count ? nil : "at most \(count), got \(requests.count)"
        case .sentHeaders(let headers):
            let sent = requests.map { $0.headers.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ") }
            let isRight = requests.contains { request in
                headers.isEmpty
                    ? !request.isConditional : headers.allSatisfy { request.headers[$0.key] == $0.value }
            }
            guard !isRight else { return nil }
            let wanted = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value ?? "none")" }
            return "\(wanted.isEmpty ? "none" : wanted.joined(separator: ", ")), got \(sent)"
        default:
            return nil
        }
    }

    private static func difference<Value: Equatable>(_ wanted: Value, _ got: Value) -> String? {
        wanted == got ? nil : "\(wanted), got \(got)"
    }
}
