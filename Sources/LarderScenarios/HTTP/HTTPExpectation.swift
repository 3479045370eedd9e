import Foundation
import LarderKit

/// One thing that is to be seen after a step of an `http-script/1`.
struct HTTPExpectation: Sendable {
    enum Kind: Sendable {
        /// `nil` is an error that is no answer.
        case status(oneOf: [Int?])
        case body(String)
        /// Served stale, and marked so.
        case stale(Bool)
        case errorOrStale
        case mustNotContain(String)
        case answeredWithin(ClosedRange<Double>)
        case source(ReadingSource)
        /// In seconds.
        case age(Double)
        /// Something went wrong, be it beside a value.
        case failed(Bool)
        case stored(Bool)
        case contacted(Bool)
        case requests(Int)
        case requestsAtMost(Int)
        /// The conditional header fields of a request; none at all where the object is empty.
        case sentHeaders([String: String?])
        case hits(Int)
        case hitsAtLeast(Int)
        /// Values by name, of several fields of a name in order; none where the field must not be there.
        case headers([String: [String]])
        case decodedLength(Int)
        /// The content coding, the length and the bytes fit.
        case consistentEncoding
        /// The statuses of interim answers.
        case interim([Int])
    }

    let name: String
    let kind: Kind

    /// It is about the requests that went out.
    var isOfOrigin: Bool { Self.ofOrigin.contains(name) }

    private static let ofOutcome: Set<String> = [
        "status", "statusOneOf", "errorOrStatus", "body", "stale", "errorOrStale", "mustNotContain", "source", "age",
        "failed",
    ]
    private static let ofOrigin: Set<String> = [
        "originContacted", "originRequests", "originRequestsAtMost", "sentHeaders",
    ]
    /// What only an HTTP cache has an answer to.
    private static let ofCache: Set<String> = [
        "headers", "headersAbsent", "decodedLength", "consistentEncodingHeaders", "interim",
    ]

    /// All that is expected, in the order of the names.
    static func all(
        in value: ScriptValue?, of operation: HTTPStep.Operation, at place: String
    ) throws(CaseFailure) -> [HTTPExpectation] {
        guard let value else { return [] }
        let fields = try ScriptFields(value, at: place, known: known(of: operation))
        if let name = fields.names.first(where: ofCache.contains) { throw HTTPScript.needsCache(name) }
        return try all(fields)
    }

    /// The same of an HTTP cache.
    static func all(
        in value: ScriptValue?, of operation: WebStep.Operation, at place: String
    ) throws(CaseFailure) -> [HTTPExpectation] {
        guard let value else { return [] }
        return try all(try ScriptFields(value, at: place, known: known(of: operation)))
    }

    private static func all(_ fields: ScriptFields) throws(CaseFailure) -> [HTTPExpectation] {
        var all: [HTTPExpectation] = []
        for name in fields.names { all.append(HTTPExpectation(name: name, kind: try kind(name, fields))) }
        return all
    }

    private static func known(of operation: HTTPStep.Operation) -> Set<String> {
        switch operation {
        case .request(let request) where request.name == nil:
            ofOutcome.union(ofOrigin).union(ofCache).union(["answeredWithin"])
        case .request: ofOrigin
        case .awaitAnswer: ofOutcome.union(["answeredWithin"])
        case .peekStore: ofOutcome.union(["stored"])
        case .search: ["hits", "hitsAtLeast"]
        case .cancel, .signOut, .restart, .remove, .store, .invalidate, .pass: ofOrigin
        }
    }

    private static func known(of operation: WebStep.Operation) -> Set<String> {
        switch operation {
        case .request(let request) where request.name == nil:
            ofOutcome.union(ofOrigin).union(ofCache).union(["answeredWithin"])
        case .request: ofOrigin
        case .awaitAnswer: ofOutcome.union(ofCache).union(["answeredWithin"])
        case .peekStore: ofOutcome.union(ofCache).union(["stored"])
        case .search: ["hits", "hitsAtLeast"]
        case .cancel, .signOut, .restart, .pass: ofOrigin
        }
    }

    private static func kind(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> Kind {
        switch name {
        case "status": return .status(oneOf: [try status(fields[name], fields)])
        case "statusOneOf":
            var choices: [Int?] = []
            for value in try fields.list(name) ?? [] { choices.append(try status(value, fields)) }
            return .status(oneOf: choices)
        case "errorOrStatus": return .status(oneOf: [nil, try status(fields[name], fields)])
        case "body": return .body(try fields.text(name) ?? "")
        case "stale": return .stale(try fields.bool(name) ?? false)
        case "errorOrStale":
            guard try fields.bool(name) == true else { throw fields.mismatch(name, "true") }
            return .errorOrStale
        case "mustNotContain": return .mustNotContain(try fields.text(name) ?? "")
        case "answeredWithin": return .answeredWithin(try range(name, fields))
        case "source": return .source(try fields.word(name, of: sources) ?? .cache)
        case "age": return .age(try fields.seconds(name) ?? 0)
        case "failed": return .failed(try fields.bool(name) ?? false)
        case "stored": return .stored(try fields.bool(name) ?? false)
        case "originContacted": return .contacted(try fields.bool(name) ?? false)
        case "originRequests": return .requests(try fields.count(name) ?? 0)
        case "originRequestsAtMost": return .requestsAtMost(try fields.count(name) ?? 0)
        case "sentHeaders": return .sentHeaders(try sentHeaders(name, fields))
        case "hits": return .hits(try fields.count(name) ?? 0)
        case "hitsAtLeast": return .hitsAtLeast(try fields.count(name) ?? 0)
        case "headers": return .headers(try headers(name, fields))
        case "headersAbsent": return .headers(try absent(name, fields))
        case "decodedLength": return .decodedLength(try fields.count(name) ?? 0)
        case "consistentEncodingHeaders":
            guard try fields.bool(name) == true else { throw fields.mismatch(name, "true") }
            return .consistentEncoding
        case "interim":
            var statuses: [Int] = []
            for value in try fields.list(name) ?? [] {
                if let status = try status(value, fields) { statuses.append(status) }
            }
            return .interim(statuses)
        default: throw CaseFailure("unknown expectation '\(name)' in \(fields.place)")
        }
    }

    private static let sources: [String: ReadingSource] = [
        "network": .network, "cache": .cache, "revalidated": .revalidated,
    ]

    private static func status(_ value: ScriptValue?, _ fields: ScriptFields) throws(CaseFailure) -> Int? {
        switch value {
        case .text("error"): return nil
        case .number(let number):
            guard let status = Int("\(number)") else { break }
            return status
        default: break
        }
        throw fields.mismatch("status", "a status or \"error\"")
    }

    private static func range(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> ClosedRange<Double> {
        let bounds = (try fields.list(name) ?? []).compactMap { value -> Double? in
            if case .number(let number) = value { NSDecimalNumber(decimal: number).doubleValue } else { nil }
        }
        guard bounds.count == 2, bounds[0] <= bounds[1] else { throw fields.mismatch(name, "a pair of seconds") }
        return bounds[0]...bounds[1]
    }

    private static func sentHeaders(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> [String: String?] {
        var headers: [String: String?] = [:]
        for (field, value) in try fields.object(name) ?? [:] {
            switch value {
            case .text(let text): headers[field] = .some(text)
            case .null: headers[field] = .some(nil)
            default: throw fields.mismatch(name, "values by name")
            }
        }
        return headers
    }

    /// An object, or pairs as elsewhere; a list for several fields of a name.
    private static func headers(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> [String: [String]] {
        if case .list = fields[name] {
            var headers: [String: [String]] = [:]
            for field in try fields.headers(name).fields { headers[field.name, default: []].append(field.value) }
            return headers
        }
        var headers: [String: [String]] = [:]
        for (field, value) in try fields.object(name) ?? [:] {
            switch value {
            case .null: headers[field] = []
            case .text, .number: headers[field] = [value.written]
            case .list(let values): headers[field] = values.map(\.written)
            default: throw fields.mismatch(name, "values by name")
            }
        }
        return headers
    }

    private static func absent(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> [String: [String]] {
        var headers: [String: [String]] = [:]
        for value in try fields.list(name) ?? [] {
            guard case .text(let field) = value else { throw fields.mismatch(name, "a list of names") }
            headers[field] = []
        }
        return headers
    }
}
