import Foundation
import LarderKit
import LarderTestKit

/// A case of the format `http-script/1` for the HTTP cache: requests, what origins say to them, and what the clients get.
struct WebScript: Sendable {
    /// What the clock shows at the beginning.
    let start: Date
    let isShared: Bool
    let policy: WebPolicy?
    let steps: [WebStep]

    private static let known: Set<String> = [
        "format", "case", "area", "title", "source", "cache", "layer", "layers", "now", "variants", "policy", "steps",
    ]

    init(_ value: ScriptValue) throws(CaseFailure) {
        let isOfTypedStore = try LayerWord.all(of: value).contains(.typed)
        let fields = try ScriptFields(
            value, at: "the case", known: isOfTypedStore ? Self.known.union(HTTPScript.ownFields) : Self.known)
        isShared = try fields.word("cache", of: ["private": false, "shared": true]) ?? false
        start = try fields.date("now") ?? ManualClock.defaultStart
        policy = try WebPolicy("policy", in: fields)
        var steps: [WebStep] = []
        for (index, value) in (try fields.list("steps") ?? []).enumerated() {
            steps.append(try WebStep(value, number: index + 1, start: start))
        }
        guard !steps.isEmpty else { throw CaseFailure("the case does nothing") }
        self.steps = steps
    }

    var requests: [WebRequest] {
        steps.compactMap { if case .request(let request) = $0.operation { request } else { nil } }
    }

    var answers: [WebAnswer] { requests.flatMap(\.answers.all) }

    /// Scheme and authority of each URL.
    var origins: [String] {
        Set(requests.map { WebURL($0.url).origin }).sorted()
    }
}

/// A URL in the pieces that a request is made of.
struct WebURL {
    /// `https://api.example.test`
    let origin: String
    let authority: String
    /// Path and query.
    let target: String

    init(_ url: String) {
        let url = url.prefix { $0 != "#" }
        let scheme = url.range(of: "://").map { url[..<$0.upperBound] } ?? ""
        let rest = url.dropFirst(scheme.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        authority = String(host)
        origin = String(scheme + host)
        let path = String(rest.dropFirst(host.count))
        target = path.hasPrefix("/") ? path : "/" + path
    }
}
