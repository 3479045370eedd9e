import LarderKit

/// The policies as cases name them: a word, or an object with how long.
enum PolicyWords {
    static let plain: [String: ReadPolicy] = [
        "cacheFirst": .cacheFirst, "cacheOnly": .cacheOnly, "networkFirst": .networkFirst,
        "networkOnly": .networkOnly, "staleWhileRevalidate": .staleWhileRevalidate,
    ]

    /// The policy under `name`, or `nil` where there is none.
    static func policy(_ name: String, in fields: ScriptFields) throws(CaseFailure) -> ReadPolicy? {
        guard case .object = fields[name] else { return try fields.word(name, of: plain) }
        let known: Set = ["networkFirst", "staleWhileRevalidate"]
        guard let policy = try fields.fields(name, known: known), policy.names.count == 1 else {
            throw fields.mismatch(name, "one policy")
        }
        if let patience = try policy.fields("networkFirst", known: ["timeout"]) {
            guard let seconds = try patience.seconds("timeout") else { throw policy.mismatch("networkFirst", "timed") }
            return .networkFirst(patience: .seconds(seconds))
        }
        let window = try policy.fields("staleWhileRevalidate", known: ["window"])?.seconds("window")
        guard let window else { throw policy.mismatch("staleWhileRevalidate", "timed") }
        return .staleWhileRevalidate(within: .seconds(window))
    }
}

/// What is known about the network, as cases say it.
enum NetworkWords {
    static let states: [String: Connectivity] = [
        "online": .online, "offline": .offline, "suspect": .suspect, "unknown": .unknown,
    ]
    /// The words of a system's own monitor.
    static let paths: [String: Connectivity] = ["satisfied": .online, "unsatisfied": .offline]
}
