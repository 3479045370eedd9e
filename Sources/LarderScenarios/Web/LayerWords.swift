import Foundation

/// What a case of `http-script/1` can be run over.
enum LayerWord: String, CaseIterable {
    case typed = "typed store over HTTP"
    /// The same where the server's directives bind.
    case obeyingTyped = "typed store that obeys the server"
    case engine = "HTTP cache"
    case client = "CachingClient"
    case urlProtocol = "URLProtocol"
    case proxy = "reverse proxy"

    private static let others: [String: LayerWord] = [
        "typed store": .typed, "cache": .engine, "HTTP layer": .engine, "client": .client, "proxy": .proxy,
        "shared proxy": .proxy,
    ]

    /// Those that a case names, else those of its kind of cache.
    static func all(of value: ScriptValue) throws(CaseFailure) -> [LayerWord] {
        guard case .object(let members) = value else { throw CaseFailure("the case is \(value.kindName)") }
        var names: [ScriptValue] = []
        if let layer = members["layer"] { names.append(layer) }
        if let layers = members["layers"] {
            guard case .list(let list) = layers, !list.isEmpty else { throw CaseFailure("layers is no list") }
            names += list
        }
        guard !names.isEmpty else {
            return members["cache"] == .text("shared") ? [.engine, .proxy] : [.engine, .client, .urlProtocol]
        }
        var all: [LayerWord] = []
        for name in names {
            guard case .text(let text) = name, let word = LayerWord(rawValue: text) ?? others[text] else {
                throw CaseFailure("unknown layer \(name)")
            }
            if !all.contains(word) { all.append(word) }
        }
        return all
    }

    /// How it is made, for the HTTP cache's cases.
    func make(_ script: WebScript, _ world: ScenarioWorld, _ origin: WebOrigin) throws -> any WebLayer {
        switch self {
        case .typed, .obeyingTyped: throw NotRunnable(reason: "it is no HTTP cache")
        case .engine: EngineLayer(script, world, origin)
        case .client: try ClientLayer(script, world, origin)
        case .urlProtocol: try ProtocolLayer(script, world, origin)
        case .proxy: try ProxyLayer(script, world, origin)
        }
    }
}
