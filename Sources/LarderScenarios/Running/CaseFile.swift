import Foundation
import LarderKit

/// How a case ended.
struct CaseResult: Sendable {
    /// What it calls itself.
    var id: String
    var failure: CaseFailure?
    /// Why it was not run: it is no case of this tool, and its kind is tested elsewhere.
    var isNotRun: String?
    /// What it expects and nothing here can check.
    var unchecked: Set<String> = []
    /// What it ran over, where that could be one thing or another.
    var layers: [String] = []

    /// A line about it.
    var line: String {
        if let isNotRun { return "NOT RUN \(id): \(isNotRun)" }
        if let failure { return "FAIL \(id): \(failure)" }
        var remarks = layers.isEmpty ? [] : ["over: \(layers.joined(separator: ", "))"]
        if !unchecked.isEmpty { remarks.append("not checked: \(unchecked.sorted().joined(separator: ", "))") }
        return remarks.isEmpty ? "PASS \(id)" : "PASS \(id) (\(remarks.joined(separator: "; ")))"
    }
}

/// One file, which holds one case.
struct CaseFile: Sendable {
    let url: URL

    /// The formats that this tool runs.
    private static let formats =
        "feed-script/1, http-script/1, steps/1, and data/1 with links, keys, values or rows of a model"

    /// Runs the case, once for each of its variants.
    func run() async -> CaseResult {
        var result = CaseResult(id: url.lastPathComponent)
        do {
            guard let data = try? Data(contentsOf: url) else { throw CaseFailure("the file cannot be read") }
            guard let value = try? ScriptValue(json: data) else {
                throw CaseFailure("the file is no JSON, so not of a format that is run here (\(Self.formats))")
            }
            result.id = name(of: value)
            if DatabaseCase.holds(value, beside: url) {
                result.isNotRun = DatabaseCase.place
                return result
            }
            if case .object(let members) = value, members["format"] == .text("http-script/1") {
                try await runHTTP(value, members["variants"], &result)
            } else {
                result.unchecked = try await run(value)
            }
        } catch {
            result.failure = Self.failure(error)
        }
        return result
    }

    /// - Returns: What the case expects and nothing here can check.
    private func run(_ value: ScriptValue) async throws -> Set<String> {
        guard case .object(let members) = value else {
            throw CaseFailure("the file is \(value.kindName), not of a format that is run here (\(Self.formats))")
        }
        switch members["format"] {
        case .text("feed-script/1"):
            try await runVariants(of: value, members["variants"], FeedScript.init) { try await run($0) }
        case .text("steps/1") where StorageScript.describes(value):
            let scripts = try await runVariants(of: value, members["variants"], StorageScript.init) {
                try await StorageRun($0).run()
            }
            return scripts.reduce(into: []) { $0.formUnion($1.unchecked) }
        case .text("steps/1") where members["steps"] != nil:
            let scripts = try await runVariants(of: value, members["variants"], StepsScript.init) {
                try await StepsRun($0).run()
            }
            return scripts.reduce(into: []) { $0.formUnion($1.unchecked) }
        case .text("steps/1"):
            try RetryTableRun(RetryTable(value)).run()
        case .text("data/1") where members["links"] != nil:
            try LinkTableRun(LinkTable(value)).run()
        case .text("data/1"):
            guard let table = try StorageTable(value) else {
                throw CaseFailure("the case holds no table that is run here (\(Self.formats))")
            }
            try await table.run()
        case .some(let format):
            throw CaseFailure("the format \(format) is not one that is run here (\(Self.formats))")
        case nil:
            throw CaseFailure("the file names no format, and is not of one that is run here (\(Self.formats))")
        }
        return []
    }

    /// Runs a case over each of its layers that can run it, and says what could not be run where.
    private func runHTTP(_ value: ScriptValue, _ variants: ScriptValue?, _ result: inout CaseResult) async throws {
        let layers = try LayerWord.all(of: value)
        var refusals: [String] = []
        for layer in layers {
            do {
                let refused: [String]
                switch layer {
                case .typed, .obeyingTyped:
                    try await runVariants(of: value, variants, HTTPScript.init) { try await HTTPScriptRun($0).run() }
                    refused = []
                default:
                    refused = try await run(value, variants, over: layer)
                }
                if layers.count > 1 || layer != .typed { result.layers.append(layer.rawValue) }
                refusals += refused.map { "\(layer.rawValue) \($0)" }
            } catch let refusal as NotRunnable {
                refusals.append("\(layer.rawValue): \(refusal.reason)")
            } catch {
                throw layers.count == 1 ? error : Self.failure(error).within("over the \(layer.rawValue)")
            }
        }
        if result.layers.isEmpty, !refusals.isEmpty {
            result.isNotRun = refusals.joined(separator: "; ")
        } else {
            result.layers += refusals.map { "not \($0)" }
        }
    }

    /// - Returns: Which variants could not be run, and why.
    /// - Throws: ``NotRunnable`` where none could.
    private func run(
        _ value: ScriptValue, _ variants: ScriptValue?, over layer: LayerWord
    ) async throws -> [String] {
        let names: [String] = if case .list(let list) = variants { list.map(\.written) } else { [""] }
        var reasons: [NotRunnable] = []
        var refused: [String] = []
        var begun = 0
        let scripts = try await runVariants(of: value, variants, WebScript.init) { script in
            begun += 1
            do {
                try await WebRun(script, isRemote: layer != .engine, over: layer.make).run()
            } catch let refusal as NotRunnable {
                reasons.append(refusal)
                refused.append("with \(JSONString.quoting(names[begun - 1])): \(refusal.reason)")
            }
        }
        if reasons.count == scripts.count, let first = reasons.first { throw first }
        return refused
    }

    /// Runs a case as many times as it has variants. All of them are read before the first one runs.
    ///
    /// - Returns: What was run.
    @discardableResult
    private func runVariants<Script>(
        of value: ScriptValue, _ variants: ScriptValue?, _ read: (ScriptValue) throws -> Script,
        _ run: (Script) async throws -> Void
    ) async throws -> [Script] {
        guard let variants else {
            let script = try read(value)
            try await run(script)
            return [script]
        }
        guard case .list(let list) = variants, !list.isEmpty else { throw CaseFailure("variants is no list") }
        let scripts = try list.map { try read(value.replacingVariant(by: $0)) }
        for (variant, script) in zip(list, scripts) {
            do {
                try await run(script)
            } catch {
                throw Self.failure(error).within("variant \(JSONString.quoting(variant.written))")
            }
        }
        return scripts
    }

    private static func failure(_ error: any Error) -> CaseFailure {
        error as? CaseFailure ?? CaseFailure("\(error)")
    }

    private func run(_ script: FeedScript) async throws {
        if script.needsTexts {
            try await FeedScriptRun<ScriptTextItem>(script, file: url).run()
        } else {
            try await FeedScriptRun<ScriptItem>(script, file: url).run()
        }
    }

    /// What the case calls itself, else where it lies.
    private func name(of value: ScriptValue) -> String {
        if case .object(let members) = value, case .text(let name) = members["case"] { return name }
        let path = url.standardizedFileURL
        return "\(path.deletingLastPathComponent().lastPathComponent)/\(path.lastPathComponent)"
    }
}

/// A case that is a database with tables of its own, which no larder opens as a cache.
enum DatabaseCase {
    static let place = """
        a database with tables of another program's. Its kinds of damage, on the product's own tables, are tested in \
        Tests/LarderKitTests/Repair, Tests/LarderSQLiteTests/Salvage and Tests/LarderKitTests/Opening
        """

    /// Whether a file says what is right of a database that lies beside it.
    static func holds(_ value: ScriptValue, beside url: URL) -> Bool {
        guard case .object(let members) = value, members["format"] == nil, url.lastPathComponent == "expected.json"
        else {
            return false
        }
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        return names?.contains { $0.hasSuffix(".sqlite3") } ?? false
    }
}
