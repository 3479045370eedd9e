import Foundation
import LarderKit

/// One file, which holds one case.
struct CaseFile: Sendable {
    let url: URL

    /// The formats that this tool runs.
    private static let formats = "feed-script/1, and data/1 with links"

    /// Runs the case, once for each of its variants.
    ///
    /// - Returns: The case's name, and what went wrong or `nil`.
    func run() async -> (id: String, failure: CaseFailure?) {
        var id = url.lastPathComponent
        do {
            guard let data = try? Data(contentsOf: url) else { throw CaseFailure("the file cannot be read") }
            guard let value = try? ScriptValue(json: data) else {
                throw CaseFailure("the file is no JSON, so not of a format that is run here (\(Self.formats))")
            }
            id = name(of: value)
            try await run(value)
            return (id, nil)
        } catch {
            return (id, error as? CaseFailure ?? CaseFailure("\(error)"))
        }
    }

    private func run(_ value: ScriptValue) async throws {
        guard case .object(let members) = value else {
            throw CaseFailure("the file is \(value.kindName), not of a format that is run here (\(Self.formats))")
        }
        switch members["format"] {
        case .text("feed-script/1"):
            try await runFeed(value, variants: members["variants"])
        case .text("data/1") where members["links"] != nil:
            try LinkTableRun(LinkTable(value)).run()
        case .some(let format):
            throw CaseFailure("the format \(format) is not one that is run here (\(Self.formats))")
        case nil:
            throw CaseFailure("the file names no format, and is not of one that is run here (\(Self.formats))")
        }
    }

    private func runFeed(_ value: ScriptValue, variants: ScriptValue?) async throws {
        guard let variants else {
            return try await run(try FeedScript(value))
        }
        guard case .list(let list) = variants, !list.isEmpty else { throw CaseFailure("variants is no list") }
        var scripts: [(name: String, script: FeedScript)] = []
        for variant in list {
            scripts.append((variant.written, try FeedScript(value.replacingVariant(by: variant))))
        }
        for (name, script) in scripts {
            do {
                try await run(script)
            } catch {
                let failure = error as? CaseFailure ?? CaseFailure("\(error)")
                throw failure.within("variant \(JSONString.quoting(name))")
            }
        }
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
