/// A request came that a ``ScriptedFetch`` has no step for.
public struct Unscripted: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which request of its fetch it was, from 1.
    public let number: Int
    /// The request, as text.
    public let request: String

    public var description: String { "request \(number) is not in the script: \(request)" }
}

/// How a ``ScriptedFetch`` and its script differ.
public struct ScriptViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The requests that came when the script had run out, as text.
    public let unexpected: [String]
    /// How many steps were never taken.
    public let remaining: Int

    public var description: String {
        var parts: [String] = []
        if !unexpected.isEmpty { parts.append("not in the script: \(unexpected.joined(separator: ", "))") }
        if remaining > 0 { parts.append("steps never taken: \(remaining)") }
        return parts.joined(separator: "; ")
    }
}
