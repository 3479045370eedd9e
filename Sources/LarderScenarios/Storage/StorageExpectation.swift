import Foundation
import LarderKit

/// One thing that is to be seen after a step of a case about the disk.
struct StorageExpectation: Sendable {
    enum Kind: Sendable {
        case ok(Bool)
        /// The storage error of this kind, thrown or beside the value.
        case error(StorageError.Kind)
        /// In seconds of real time.
        case within(Double)
        /// The value of this name; `nil` for none.
        case value(String?)
        case size(ClosedRange<Int>)
        /// Of the write-ahead log, once the cache is closed.
        case logSize(Int)
        /// The value is there, or an error said that it is not.
        case storedOrReported
        case bytesAtMost(Int)
        case present([String])
        case absent([String])
    }

    let name: String
    let kind: Kind

    private static let known: Set<String> = [
        "ok", "error", "withinSeconds", "value", "atMost", "atLeast", "walBytes", "storedOrReported", "bytesAtMost",
        "present", "absent",
    ]

    private static let errors: [String: StorageError.Kind] = [
        "busy": .busy, "disk full": .full, "over budget": .overBudget, "closed": .closed, "damaged": .corrupt,
    ]

    static func all(in value: ScriptValue?, at place: String) throws(CaseFailure) -> [StorageExpectation] {
        guard let value else { return [] }
        let fields = try ScriptFields(value, at: place, known: known)
        var all: [StorageExpectation] = []
        for name in fields.names { all.append(StorageExpectation(name: name, kind: try kind(name, fields))) }
        return all
    }

    private static func kind(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> Kind {
        switch name {
        case "ok": return .ok(try fields.bool(name) ?? true)
        case "error":
            guard let kind = try fields.word(name, of: errors) else { throw fields.mismatch(name, "an error") }
            return .error(kind)
        case "withinSeconds": return .within(try fields.seconds(name) ?? 0)
        case "value": return .value(fields[name] == .null ? nil : try fields.text(name))
        case "atMost": return .size(0...(try fields.count(name) ?? 0))
        case "atLeast": return .size((try fields.count(name) ?? 0)...Int.max)
        case "walBytes": return .logSize(try fields.count(name) ?? 0)
        case "storedOrReported":
            guard try fields.bool(name) == true else { throw fields.mismatch(name, "true") }
            return .storedOrReported
        case "bytesAtMost": return .bytesAtMost(try fields.count(name) ?? 0)
        case "present": return .present(try keys(name, fields))
        case "absent": return .absent(try keys(name, fields))
        default: throw CaseFailure("unknown expectation '\(name)' in \(fields.place)")
        }
    }

    private static func keys(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> [String] {
        var keys: [String] = []
        for value in try fields.list(name) ?? [] {
            guard case .text(let key) = value else { throw fields.mismatch(name, "a list of keys") }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw fields.mismatch(name, "a list of keys") }
        return keys
    }
}

/// What a step about the disk showed.
struct StorageRecord {
    /// Why something was not stored or read, be it beside a value.
    var error: StorageError?
    var took = Duration.zero
    /// What is stored under the step's key, when it was looked at.
    var value: Data?
    var size: Int?

    private var shownError: String { error.map { "\($0.kind): \($0)" } ?? "no error" }

    /// What is wrong, or `nil`.
    ///
    /// - Parameters:
    ///   - bodies: What was put, by its names.
    ///   - look: What is stored under a key now.
    ///   - used: The bytes that the cache takes.
    func failure(
        of expectation: StorageExpectation, _ bodies: [String: Data], look: (String) throws -> Data?,
        used: () throws -> Int
    ) throws -> String? {
        switch expectation.kind {
        case .ok(let truth):
            return (error == nil) == truth ? nil : "ok: expected \(truth), got \(shownError)"
        case .error(let kind):
            return error?.kind == kind ? nil : "error: expected \(kind), got \(shownError)"
        case .within(let seconds):
            return took.inSeconds <= seconds ? nil : "withinSeconds: expected at most \(seconds) s, got \(took)"
        case .value(let name):
            let wanted = name.map { bodies[$0] ?? Data($0.utf8) }
            let got = value.map { data in bodies.first { $0.value == data }?.key ?? "\(data.count) bytes" } ?? "nothing"
            return value == wanted ? nil : "value: expected \(name ?? "nothing"), got \(got)"
        case .size(let range):
            guard let size else { return "there is no size to compare" }
            return range.contains(size) ? nil : "expected a size of \(range), got \(size)"
        case .logSize(let bytes):
            return size == bytes ? nil : "walBytes: expected \(bytes), got \(size.map { "\($0)" } ?? "no size")"
        case .storedOrReported:
            return error != nil || value != nil ? nil : "storedOrReported: it is not there, and nothing said so"
        case .bytesAtMost(let bytes):
            let used = try used()
            return used <= bytes ? nil : "bytesAtMost: expected at most \(bytes), got \(used)"
        case .present(let keys):
            let missing = try keys.filter { try look($0) == nil }
            return missing.isEmpty ? nil : "present: missing \(missing)"
        case .absent(let keys):
            let there = try keys.filter { try look($0) != nil }
            return there.isEmpty ? nil : "absent: \(there) is there"
        }
    }
}
