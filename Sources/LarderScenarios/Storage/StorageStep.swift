import Foundation
import LarderKit

/// One step of a case about the disk.
struct StorageStep: Sendable {
    enum Operation: Sendable, Hashable {
        /// What another process does, and for how many seconds it stays at it.
        case elsewhere(SecondConnection.Work, hold: Double)
        /// The app stores a value.
        case put(StorageBody)
        /// A value is fetched, and kept if it can be.
        case fetch(StorageBody)
        /// What is stored is looked at.
        case get
        case remove
        case putMany([String], bytes: Int)
        case openChangeStream(isConsumed: Bool)
        /// Of a file beside the database, by what its name ends in.
        case fileSize(String)
        /// The budget, and what is there.
        case stat
        case pin(Bool)
        case close
        case reopen
        /// A write for the server, which nothing here can make.
        case enqueue
    }

    let name: String
    let operation: Operation
    let key: String
    let storage: ResourceOptions.Storage
    let expectations: [StorageExpectation]

    /// What only this kind of case does.
    static let ownWords: Set<String> = [
        "fetch", "remove", "putMany", "writeMany", "openChangeStream", "fileSize", "stat", "pin", "unpin", "close",
        "reopen", "enqueueOutbox",
    ]

    private static let known: Set<String> = [
        "process", "sql", "hold", "do", "key", "keys", "bytes", "bytesEach", "value", "count", "storage", "feed",
        "consume",
        "of", "expect",
    ]

    init(_ value: ScriptValue, number: Int) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "steps[\(number - 1)]", known: Self.known)
        let word = try fields.text("do")
        key = try fields.text("key") ?? "k"
        storage =
            try fields.word("storage", of: ["database": .database, "files": .files, "memory": .memory]) ?? .database
        switch try fields.text("process") ?? "A" {
        case "A":
            guard let word else { throw CaseFailure("\(fields.place) does nothing") }
            name = "step \(number) (\(word))"
            operation = try Self.operation(word, fields, number)
        case let process:
            guard word == nil, let sql = try fields.text("sql") else {
                throw CaseFailure("\(fields.place): process \(process) runs SQL and nothing else")
            }
            guard let work = SecondConnection.Work(sql: sql) else {
                throw CaseFailure("\(fields.place): unknown SQL \(JSONString.quoting(sql))")
            }
            name = "step \(number) (process \(process))"
            operation = .elsewhere(work, hold: try fields.seconds("hold") ?? 0)
        }
        expectations = try StorageExpectation.all(in: fields["expect"], at: "\(fields.place).expect")
        try refuseMeaningless(fields)
    }

    private static func operation(
        _ word: String, _ fields: ScriptFields, _ number: Int
    ) throws(CaseFailure) -> Operation {
        switch word {
        case "put": return .put(try StorageBody(fields, number))
        case "fetch": return .fetch(try StorageBody(fields, number))
        case "get": return .get
        case "remove": return .remove
        case "putMany":
            guard let bytes = try fields.count("bytes") else { throw fields.mismatch("bytes", "there") }
            return .putMany(try keys(fields), bytes: bytes)
        case "writeMany":
            guard let count = try fields.count("count"), let bytes = try fields.count("bytesEach") else {
                throw fields.mismatch("count or bytesEach", "there")
            }
            return .putMany((0..<count).map { "written \($0)" }, bytes: bytes)
        case "openChangeStream": return .openChangeStream(isConsumed: try fields.bool("consume") ?? true)
        case "fileSize":
            return .fileSize(try fields.word("of", of: ["-wal": "-wal", "database": ""]) ?? "")
        case "stat": return .stat
        case "pin": return .pin(true)
        case "unpin": return .pin(false)
        case "close": return .close
        case "reopen": return .reopen
        case "enqueueOutbox": return .enqueue
        default: throw CaseFailure("unknown operation '\(word)' in \(fields.place)")
        }
    }

    /// A list of keys, or the first and the last of a numbered one: `k1..k40`.
    private static func keys(_ fields: ScriptFields) throws(CaseFailure) -> [String] {
        if case .list(let list)? = fields["keys"] {
            let keys = list.compactMap { if case .text(let text) = $0 { text } else { nil } }
            guard keys.count == list.count, !keys.isEmpty else { throw fields.mismatch("keys", "a list of keys") }
            return keys
        }
        let ends = try (fields.text("keys") ?? "").components(separatedBy: "..")
        guard ends.count == 2 else { throw fields.mismatch("keys", "a range of keys") }
        let names = ends.map { String($0.prefix { !$0.isNumber }) }
        guard names[0] == names[1], let first = Int(ends[0].dropFirst(names[0].count)),
            let last = Int(ends[1].dropFirst(names[1].count)), first <= last
        else { throw fields.mismatch("keys", "a range of keys") }
        return (first...last).map { "\(names[0])\($0)" }
    }

    /// A field that means nothing to what is done would be passed over in silence.
    private func refuseMeaningless(_ fields: ScriptFields) throws(CaseFailure) {
        let meant: Set<String> =
            switch operation {
            case .elsewhere: ["process", "sql", "hold"]
            case .put, .fetch: ["process", "do", "key", "bytes", "value", "storage", "expect"]
            case .get, .remove: ["process", "do", "key", "storage", "expect"]
            case .pin: ["process", "do", "key", "expect"]
            case .putMany: ["process", "do", "keys", "count", "bytes", "bytesEach", "storage", "expect"]
            case .openChangeStream: ["process", "do", "feed", "consume", "expect"]
            case .fileSize: ["process", "do", "of", "expect"]
            case .stat, .close, .reopen, .enqueue: ["process", "do", "expect"]
            }
        let meaningless = fields.names.filter { !meant.contains($0) }
        guard meaningless.isEmpty else {
            throw CaseFailure("\(meaningless.joined(separator: ", ")) means nothing in \(fields.place)")
        }
    }
}

/// What is put: so many bytes, which a name can stand for.
struct StorageBody: Sendable, Hashable {
    let name: String
    let data: Data

    init(_ fields: ScriptFields, _ number: Int) throws(CaseFailure) {
        let name = try fields.text("value") ?? "the value of step \(number)"
        self.init(name, bytes: try fields.count("bytes") ?? 100)
    }

    /// Bytes that nothing else has, and that are not the same in two places.
    init(_ name: String, bytes: Int) {
        self.name = name
        let seed = Array(name.utf8)
        data = Data(
            (0..<bytes).map { index in
                seed.isEmpty
                    ? UInt8(truncatingIfNeeded: index)
                    : seed[index % seed.count] &+ UInt8(truncatingIfNeeded: index / seed.count)
            })
    }
}
