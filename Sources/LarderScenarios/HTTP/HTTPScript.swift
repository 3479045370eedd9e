import Foundation
import LarderKit
import LarderTestKit

/// A case of the format `http-script/1`: requests of an app, what the origin says to them, and what the app gets.
///
/// The typed layer runs it: each URL is a resource of bytes, each account a partition.
struct HTTPScript: Sendable {
    /// What the clock shows at the beginning.
    let start: Date
    /// The expectations are those of the typed store, which keeps what an app asks for. Otherwise the server is obeyed.
    let isOfTypedStore: Bool
    let content: ExpectedContent
    let policy: ReadPolicy
    /// What the app sets itself.
    let maxAge: Duration?
    let options: ResourceOptions
    let steps: [HTTPStep]

    /// What says nothing to an HTTP cache.
    static let ownFields: Set = ["expectType", "options"]
    static let known: Set<String> = [
        "format", "case", "area", "title", "source", "cache", "layer", "layers", "now", "variants", "expectType",
        "policy", "options", "steps",
    ]

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "the case", known: Self.known)
        guard try fields.word("cache", of: ["private": true, "shared": false]) ?? true else {
            throw Self.needsCache("a shared cache")
        }
        isOfTypedStore = try LayerWord.all(of: value).contains(.typed)
        start = try fields.date("now") ?? ManualClock.defaultStart
        content = try fields.word("expectType", of: ["application/json": .json]) ?? .anything
        policy = try PolicyWords.policy("policy", in: fields) ?? .cacheFirst
        let own = try fields.fields("options", known: Self.knownOptions)
        maxAge = try own?.seconds("maxAge").map { .seconds($0) }
        options = try Self.options(own, obeysServer: !isOfTypedStore)
        var steps: [HTTPStep] = []
        for (index, value) in (try fields.list("steps") ?? []).enumerated() {
            steps.append(try HTTPStep(value, number: index + 1, start: start))
        }
        guard !steps.isEmpty else { throw CaseFailure("the case does nothing") }
        self.steps = steps
    }

    /// The failure of a case that asks for what only an HTTP cache can do.
    static func needsCache(_ what: String) -> CaseFailure {
        CaseFailure("the typed store knows nothing of \(what)")
    }

    private static let knownOptions: Set<String> = ["maxAge", "staleIfError", "fetchTimeout", "attempts", "storage"]
    private static let storages: [String: ResourceOptions.Storage] = [
        "database": .database, "files": .files, "memory": .memory,
    ]

    /// A case of the typed store takes the server's word for advice, any other obeys it.
    private static func options(_ own: ScriptFields?, obeysServer: Bool) throws(CaseFailure) -> ResourceOptions {
        var options = ResourceOptions(serverRules: obeysServer ? .binding : .advisory)
        guard let own else { return options }
        if let seconds = try own.seconds("staleIfError") { options.staleIfError = .seconds(seconds) }
        if let seconds = try own.seconds("fetchTimeout") { options.fetchTimeout = .seconds(seconds) }
        if let attempts = try own.count("attempts") { options.retry = RetryPolicy(attempts: attempts) }
        if let storage = try own.word("storage", of: storages) { options.storage = storage }
        return options
    }
}
